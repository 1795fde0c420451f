/// The number of users that a process has, and how many of them are managed.
public enum AccountsMode: Hashable, Sendable, CaseIterable {
    /// One user at a time, who is managed once enrolled and whom the process level then holds.
    case single
    /// Any number of users, of whom one at a time is managed, once enrolled; all levels start unset, and each piece of work
    /// names its identity.
    case oneManaged
    /// Any number of managed users; all levels start unset, and each piece of work names its identity.
    case multi

    /// True where a second user is not enrolled beside the first.
    package var managesOne: Bool { self != .multi }
}

/// The rule for work that needs an owner and has none: its effective identity is nobody, or unset.
public enum WorkWithoutOwner: Hashable, Sendable, CaseIterable {
    /// It goes through, as nobody's: no policy applies to it.
    case open
    /// It is refused: nothing that needs an owner goes through without one.
    case closed
}
