/// The rule of a policy for a service that it lists.
public enum ServiceRule: String, Hashable, Sendable, CaseIterable {
    /// It is refused, whatever account it is reached with.
    case refused
    /// It is allowed when reached with the managed account itself; with another account, or none, it counts as other.
    case ownAccount
    /// It is allowed, whatever account it is reached with.
    case anyAccount
}
