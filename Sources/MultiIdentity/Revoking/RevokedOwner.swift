/// The identity that work had that runs under nobody now, and why.
public struct RevokedOwner: Hashable, Sendable {
    /// The identity that the work had.
    public let identity: Identity
    /// The reason why it is theirs no longer.
    public let reason: IdentityRevocation.Reason
}

extension RevokedOwner: CustomStringConvertible {
    /// `ada@contoso.com, who was signed out`.
    public var description: String { "\(identity), who was \(reason)" }
}
