extension IdentitySnapshot {
    /// The owner of work under this, in the life in which that began; `nil` where nothing is bound.
    var owner: WorkOwner? { identity.map(owner(as:)) }

    /// The same for what this showed a moment ago, which a revocation changes.
    func owner(as identity: Identity) -> WorkOwner {
        guard BindingFeatures.inUse.contains(.revocation) else { return WorkOwner(identity) }
        return WorkOwner(identity, life: frame?.standing.generation ?? 0)
    }
}

/// The owner of the work at one place, as for files, and the binding that showed it.
///
/// The same binding shows the same owner later, unless that was revoked since: a use of what it owns need not look it up again.
package struct OwnerHere: Sendable {
    package let owner: WorkOwner
    /// The binding's frame, if it takes one: kept, as the identity is, so that its word is no other binding's.
    private let frame: (any AnyObject & Sendable)?
    private let bits: UInt

    private init(_ owner: WorkOwner, _ frame: BindingFrame?, _ bits: UInt) {
        (self.owner, self.frame, self.bits) = (owner, frame, bits)
    }

    /// An owner that no binding shows.
    package init(of owner: WorkOwner) { self.init(owner, nil, ThreadMirror.nothingToReinstate) }

    /// The owner of the work here: of the thread's identity, else the process's; `nil` where no level is set.
    package static var current: OwnerHere? {
        let here = ThreadMirror.current()
        if here.inference == nil, let identity = here.identity {
            return OwnerHere(here.owner(as: identity), here.frame, ThreadMirror.bits(of: here))
        }
        return EffectiveIdentity.current(for: .files).owner.map(OwnerHere.init(of:))
    }

    /// True if the binding here is the one that showed the owner; where it is false, compare owners.
    @inline(__always)
    package var isSeen: Bool { ThreadMirror.currentBits == bits }
}

extension BindingFrameContents {
    /// Changes this to what was captured as another owner's, under the levels and companions that are here.
    ///
    /// What is nobody's, and follows revoked work, remembers the owner of that.
    mutating func beginCapture(of owner: WorkOwner?, after revoked: RevokedWork?) {
        let revoked = revoked ?? standing.revokedWork(of: identity)
        (identity, scope, standing) = (owner?.identity, nil, .unknown)
        guard BindingFeatures.inUse.contains(.revocation) else { return }
        guard let owner, !owner.identity.isNobody else {
            if let revoked { standing = .revoked(revoked) }
            return
        }
        if let revoked = owner.revoked {
            (identity, standing) = (.nobody, .revoked(RevokedWork(revoked)))
        } else {
            standing = .captured(
                CapturedWork(of: owner.identity.spelling.record, owner.life, isPartOfCaller: false)
            )
        }
    }
}
