/// Who may no longer work: identities that were signed out, or whose wipe has begun.
public enum IdentityRevocation: Sendable {
    /// Whether an identity is revoked now.
    ///
    /// - Complexity: O(1); one load where nobody ever was.
    public static func isRevoked(_ identity: Identity) -> Bool { false }

    /// Lets new work of an identity begin, or says why it may not; `nil` and nobody are always admitted.
    ///
    /// - Parameter identity: Whose work is about to begin.
    /// - Throws: ``IdentityRevokedError`` where the identity is revoked.
    public static func admit(_ identity: Identity?) throws(IdentityRevokedError) {
        if let identity, isRevoked(identity) { throw IdentityRevokedError(identity: identity) }
    }
}
