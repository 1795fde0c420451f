package import MultiIdentity

/// What a registry reports of its accounts: they are all managed, and under ``Policy/nothing`` without a policy.
extension Accounts {
    /// Has a registry say who is known: until it has read its accounts, no identity counts as unknown.
    package func awaits(_ registry: AnyObject) { state.awaits(ObjectIdentifier(registry)) }

    /// Takes note that a registry has read its accounts.
    package func hasRead(_ registry: AnyObject) { state.hasRead(ObjectIdentifier(registry)) }

    /// Has accounts be those of a registry: enrolled, whether they have a policy or not, as far as the mode allows; or registered.
    package func know(_ identities: some Sequence<Identity>, enrolled: Bool) {
        state.know(identities, enrolled: enrolled)
    }

    /// Takes note that a registry has an account no more.
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

    /// Returns whether an identity is managed by what is known of it, and not because accounts have yet to be read.
    package func isKnown(_ identity: Identity) -> Bool {
        switch view.standing(of: identity) {
        case .unmanaged, .withoutPolicy(.notRead): false
        case .managed, .withoutPolicy: true
        }
    }

    /// Has an account be blocked, managed under ``Policy/nothing``, or not any more.
    package func setBlocked(_ identity: Identity, _ isBlocked: Bool) {
        // Asked first, since each event of an account says so.
        if state.isBlocked(identity) != isBlocked { state.setBlocked([identity], isBlocked, all: false) }
    }

    /// Has these accounts be blocked, and no others.
    package func setBlocked(_ identities: Set<Identity>) { state.setBlocked(identities, true, all: true) }

    /// Returns whether an account is blocked.
    package func isBlocked(_ identity: Identity) -> Bool { state.isBlocked(identity) }

    /// Returns whether an account is enrolled.
    package func isEnrolled(_ identity: Identity) -> Bool { state.isEnrolled(identity) }

    /// Returns whether an identity is managed under a policy that is there, and that it may be used under.
    package func hasPolicy(_ identity: Identity) -> Bool {
        if case .managed = view.standing(of: identity) { true } else { false }
    }
}
