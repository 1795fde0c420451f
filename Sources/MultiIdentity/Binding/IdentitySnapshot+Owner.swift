extension IdentitySnapshot {
    /// The owner of work under this, in the owner's life in which it began; `nil` if nothing is bound.
    var owner: WorkOwner? { identity.map(owner(as:)) }

    /// Returns the owner for the identity that this showed a moment ago; a revocation changes that.
    func owner(as identity: Identity) -> WorkOwner {
        guard BindingFeatures.inUse.contains(.revocation) else { return WorkOwner(identity) }
        return WorkOwner(identity, life: frame?.standing.generation ?? 0)
    }
}

extension BindingFrameContents {
    /// Changes this to a capture of another owner, under the current levels and companions.
    ///
    /// A capture of nobody that follows revoked work remembers that work's owner.
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
