extension IdentitySnapshot {
    /// The owner of work under this, in the life in which that began; `nil` where nothing is bound.
    var owner: WorkOwner? { identity.map(owner(as:)) }

    /// The same for what this showed a moment ago, which a revocation changes.
    func owner(as identity: Identity) -> WorkOwner {
        guard BindingFeatures.inUse.contains(.revocation) else { return WorkOwner(identity) }
        return WorkOwner(identity, life: frame?.standing.generation ?? 0)
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
