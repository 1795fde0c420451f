package import MultiIdentity

/// What a registry reports about its accounts: all are managed, those without a policy under ``Policy/nothing``.
extension Accounts {
    /// Makes a registry decide which accounts are known: until it has read them, no identity counts as unknown.
    package func awaits(_ registry: AnyObject) { state.awaits(ObjectIdentifier(registry)) }

    /// Records that a registry has read its accounts.
    package func hasRead(_ registry: AnyObject) { state.hasRead(ObjectIdentifier(registry)) }

    /// Records accounts of a registry: as enrolled, even without a policy, if the mode allows; or as registered.
    package func know(_ identities: some Sequence<Identity>, enrolled: Bool) {
        state.know(identities, enrolled: enrolled)
    }

    /// Records that a registry no longer has an account.
    package func forget(_ identity: Identity) { state.forget(identity) }

    /// The accounts that a registry has, and those that are enrolled.
    package var knownIdentities: Set<Identity> {
        let view = view
        return view.enrolled.union(view.registered)
    }

    /// Returns whether a registry has an account of this name.
    package func has(_ identity: Identity) -> Bool {
        let view = view
        return view.registered.contains(identity) || view.enrolled.contains(identity)
    }

    /// Returns whether an identity is known to be managed, rather than because accounts have not been read yet.
    package func isKnown(_ identity: Identity) -> Bool {
        switch view.standing(of: identity) {
        case .unmanaged, .withoutPolicy(.notRead): false
        case .managed, .withoutPolicy: true
        }
    }

    /// Blocks an account, which puts it under ``Policy/nothing``, or unblocks it.
    package func setBlocked(_ identity: Identity, _ isBlocked: Bool) {
        // Checked first, because every event of an account repeats it.
        if state.isBlocked(identity) != isBlocked { state.setBlocked([identity], isBlocked, all: false) }
    }

    /// Blocks these accounts, and no others.
    package func setBlocked(_ identities: Set<Identity>) { state.setBlocked(identities, true, all: true) }

    /// Returns whether an account is blocked.
    package func isBlocked(_ identity: Identity) -> Bool { state.isBlocked(identity) }

    /// Returns whether an account is enrolled.
    package func isEnrolled(_ identity: Identity) -> Bool { state.isEnrolled(identity) }

    /// Returns whether an identity is managed, has a policy and may be used.
    package func hasPolicy(_ identity: Identity) -> Bool {
        if case .managed = view.standing(of: identity) { true } else { false }
    }
}
