/// Whose work it was that runs under nobody now, and why.
public struct RevokedOwner: Hashable, Sendable {
    /// Whose work it was.
    public let identity: Identity
    /// Why it is theirs no longer.
    public let reason: IdentityRevocation.Reason
}

extension RevokedOwner: CustomStringConvertible {
    /// `ada@contoso.com, who was signed out`.
    public var description: String { "\(identity), who was \(reason)" }
}
