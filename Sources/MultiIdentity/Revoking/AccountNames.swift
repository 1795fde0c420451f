/// The aliases of accounts that one account registry has in force; they end with it.
///
/// An identity under an alias is refused like a signed-out one, and the error names the account: work captured under it runs
/// under nobody, and work that has begun continues. Nothing that was stored under it belongs to the account.
package final class AccountNames: Sendable {
    private struct State {
        var names: [Identity: Set<Identity>] = [:]
        var accounts: [Identity: Identity] = [:]

        /// Makes a name an alias of an account, or of none, and returns the changes.
        mutating func set(_ name: Identity, _ account: Identity?) -> [RevokedNames.Change] {
            let before = accounts[name]
            if before == account { return [] }
            accounts[name] = account
            var changes: [RevokedNames.Change] = []
            // The new one first: in between, the name is an alias of both.
            if let account {
                names[account, default: []].insert(name)
                changes.append(.added(name, to: account))
            }
            if let before {
                names[before]?.remove(name)
                if names[before]?.isEmpty == true { names[before] = nil }
                changes.append(.removed(name, from: before))
            }
            return changes
        }
    }

    /// Changed inside the lock that orders revocations, and read without that lock.
    private let state = Locked(State())

    package init() {}

    deinit {
        let names = state.withLock { $0.accounts.keys }
        change { state in names.flatMap { state.set($0, nil) } }
    }

    /// Sets the aliases of an account; its former aliases become free, and an alias of another account moves.
    ///
    /// - Parameters:
    ///   - forms: The caseless forms of the aliases; an empty one, and the account's own name, are ignored.
    ///   - account: The account.
    ///   - announcing: Whether revocation watchers are notified and handlers called.
    package func set(_ forms: some Sequence<String>, of account: Identity, announcing: Bool = true) {
        let now = Set(forms.lazy.filter { !$0.isEmpty }.map { Identity(caselessName: $0) }).subtracting([account])
        // Work captured under a name has to be checked when it runs.
        if !now.isEmpty { IdentityRevocation.isOn = true }
        change(announcing: announcing) { state in
            let before = state.names[account] ?? []
            return now.subtracting(before).flatMap { state.set($0, account) }
                + before.subtracting(now).flatMap { state.set($0, nil) }
        }
    }

    /// Makes a name an alias of an account, even if it is an alias of another one.
    package func add(_ name: Identity, to account: Identity) {
        IdentityRevocation.isOn = true
        change { $0.set(name, account) }
    }

    /// Makes a name an account's own from now on, even if it is an alias of another one.
    package func free(_ name: Identity) { change { $0.set(name, nil) } }

    /// Returns the account that a name is an alias of, according to this registry.
    ///
    /// - Complexity: O(1): one load for an account's own name.
    package func account(named name: Identity) -> Identity? {
        IdentityRevocation.isRevoked(name) ? state.withLock { $0.accounts[name] } : nil
    }

    /// Returns the account of an alias, or any other name unchanged: with the same verification, and with its actors under
    /// their accounts.
    package func resolved(_ name: Identity) -> Identity {
        let actor = name.actor?.named { self.account(named: $0) ?? $0 }
        let account = account(named: name)
        return account == nil && actor == name.actor ? name : name.named(as: account ?? name, actor: actor)
    }

    /// Returns the aliases of an account, according to this registry.
    package func names(of account: Identity) -> Set<Identity> { state.withLock { $0.names[account] ?? [] } }

    private func change(announcing: Bool = true, _ body: (inout State) -> [RevokedNames.Change]) {
        let named = RevokedNames.shared.change(announcing: announcing) { state.withLock { body(&$0) } }
        for name in named { _ = RevocationRegistration.call(for: name) }
    }
}

extension IdentityRevocation {
    /// Returns the account that a name is an alias of: no work is admitted under an alias, whenever its identity was created.
    ///
    /// - Complexity: O(1): one load if the name is no alias.
    package static func account(named name: Identity) -> Identity? {
        isRevoked(name) ? RevokedNames.shared.account(of: name) : nil
    }

    /// Returns the aliases of an account, according to all registries.
    package static func otherNames(of account: Identity) -> Set<Identity> { RevokedNames.shared.names(of: account) }
}
