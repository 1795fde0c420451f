/// The way in which a file of policies is watched.
public enum PolicyFileWatching: Hashable, Sendable {
    /// By what the system tells of the folders that lead to it, and by looking after it now and then as well.
    ///
    /// Looking finds what the system does not tell: changes on a network's file system, a folder further up that was
    /// replaced. Where the system tells nothing at all (other systems than Linux, no watches left), looking is all.
    case events(lookingEvery: Duration)
    /// By looking after it, this often.
    case polling(every: Duration)
    /// Not at all: it is read again only when ``PolicyFile/reload()`` is called.
    case manual
}
