extension IdentitySnapshot {
    /// The owner of work under this, in the life in which that began; `nil` where nothing is bound.
    var owner: WorkOwner? { identity.map(owner(as:)) }

    /// The same for what this showed a moment ago, which a revocation changes.
    func owner(as identity: Identity) -> WorkOwner {
        guard BindingFeatures.inUse.contains(.revocation) else { return WorkOwner(identity) }
        return WorkOwner(identity, life: frame?.origin.contents.generation ?? 0)
    }
}

extension WorkOwner {
    /// True if the bound word alone shows that the work here is this owner's; where it is false, compare owners.
    package var isPlainlyHere: Bool {
        guard ThreadMirror.currentBits == ThreadMirror.bits(of: IdentitySnapshot(.identity(identity))) else {
            return false
        }
        return life == (BindingFeatures.inUse.contains(.revocation) ? 0 : identity.spelling.record.tally.generation)
    }
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
