/// New work was refused, since whoever it is for is revoked.
public struct IdentityRevokedError: Error, Equatable, Sendable {
    /// Whose work was refused.
    public let identity: Identity

    init(identity: Identity) { self.identity = identity }
}
