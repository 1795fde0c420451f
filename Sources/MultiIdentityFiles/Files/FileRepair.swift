/// The result of a repair: what is left to do by hand, and what could not be looked at.
public struct FileRepair: Hashable, Sendable {
    /// Files that were never seen: made behind the runtime's back, or before it.
    public internal(set) var unseen: [String] = []

    /// Files with an uncertain owner, since a damaged record may have named another one than was known before it; they
    /// are nobody's to have or to wipe until their owner is set.
    public internal(set) var uncertain: [String] = []

    /// Files that were never seen at names where recorded ones are gone, as after an editor's way of saving, or when a backup
    /// was brought back; each is in ``unseen`` as well, unless it was given the recorded owner.
    public internal(set) var replaced: [String] = []

    /// Failures to look at something or to repair it, damaged owners and damaged parts of the index among them.
    public internal(set) var failures: [IdentityFileError] = []

    /// The number of regular files.
    var fileCount = 0
    /// Of ``replaced``, those that were given the recorded owner.
    var adopted: [String] = []
    /// Names at which the index knows a file now, and did not before.
    var renamed: [String] = []
    /// Names, or former names, of files that are nowhere any more, and that the index has forgotten.
    var forgotten: [String] = []
    /// Files that had their owner moved from the index to their attribute.
    var movedToAttributes: [String] = []
    /// Leftovers of interrupted operations, which were removed.
    var swept: [String] = []
}
