/// The standing of a binding towards the revocation of its identity; one word in the frame.
enum WorkStanding: Sendable {
    /// Nothing is known: it was bound or captured while revocation was off, or for nobody.
    case unknown
    /// It was captured, to be restored.
    case captured(CapturedWork)
    /// It began.
    case ongoing(OngoingWork)
    /// It is nobody's, or nothing is bound, inside this work of the same task or thread.
    case inside(OngoingWork)
    /// It runs under nobody, since its owner was revoked before it began.
    case revoked(RevokedWork)

    var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

/// The owner of revoked work behind one reference.
final class RevokedWork: Sendable {
    let owner: RevokedOwner

    init(of identity: Identity, for reason: IdentityRevocation.Reason) {
        owner = RevokedOwner(identity: identity, reason: reason)
    }
}

extension BindingFrameContents {
    /// Whom a binding of this shows to who asks here.
    var shownIdentity: Identity? {
        if case .ongoing(let work) = standing, work.isRevokedHere { return .nobody }
        return identity
    }

    /// The work that shows nobody here, with its owner.
    var revokedWork: RevokedWork? {
        switch standing {
        case .unknown, .captured, .inside: nil
        case .revoked(let work): work
        case .ongoing(let work):
            if let identity, work.isRevokedHere {
                RevokedWork(of: identity, for: work.record.tally.reason)
            } else {
                nil
            }
        }
    }
}
