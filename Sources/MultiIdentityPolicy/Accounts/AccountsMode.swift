/// The number of users that a process has, and how many of them are managed.
public enum AccountsMode: Hashable, Sendable, CaseIterable {
    /// One user at a time: the enrolled user is managed, and the process level is set to that user.
    case single
    /// Any number of users, at most one of them enrolled and managed; all levels start unset, and each piece of work
    /// names its identity.
    case oneManaged
    /// Any number of managed users; all levels start unset, and each piece of work names its identity.
    case multi

    /// Indicates whether only one user can be enrolled at a time.
    package var managesOne: Bool { self != .multi }
}

/// The rule for work that needs an owner and has none: its effective identity is nobody or unset.
public enum UnownedWork: Hashable, Sendable, CaseIterable {
    /// The work is allowed, as nobody's: no policy applies to it.
    case allowed
    /// Work that needs an owner is refused without one.
    case refused
}
