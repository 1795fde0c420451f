/// New work was refused, since its identity is revoked.
public struct IdentityRevokedError: Error, Hashable, Sendable {
    /// The identity that was refused.
    public let identity: Identity
    /// The reason of the revocation.
    public let reason: IdentityRevocation.Reason

    init(identity: Identity) {
        self.init(RevokedOwner(identity: identity, reason: identity.spelling.record.tally.reason))
    }

    init(_ owner: RevokedOwner) {
        identity = owner.identity
        reason = owner.reason
    }
}

extension IdentityRevokedError: CustomStringConvertible {
    /// The message for people: who was refused, why, and what to do.
    public var description: String {
        let remedy =
            switch reason {
            case .signedOut: "Sign in again, and have the identity readmitted, before new work of theirs begins."
            case .wiped:
                "Nothing of theirs may come to be while all is removed; enrol them anew once the wipe is complete."
            }
        return "\(identity) was \(reason), and no new work of theirs is admitted. \(remedy)"
    }
}

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
