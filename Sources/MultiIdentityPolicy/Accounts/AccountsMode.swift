/// The number of users that a process has.
public enum AccountsMode: Hashable, Sendable, CaseIterable {
    /// One user at a time, who is managed once enrolled and whom the process level then holds.
    case single
    /// Any number of managed users; all levels start unset, and each piece of work names its identity.
    case multi
}
