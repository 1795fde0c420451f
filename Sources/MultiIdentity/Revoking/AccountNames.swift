/// The other names of accounts that one keeper of accounts has in force; they end with it.
///
/// An identity under one is refused as one that was signed out is, and the error names the account: work that was captured
/// under it runs under nobody, and what has begun goes on. Nothing that was stored under it is the account's.
package final class AccountNames: Sendable {
    private struct State {
        var names: [Identity: Set<Identity>] = [:]
        var accounts: [Identity: Identity] = [:]

        /// Has a name be another one of an account, or of none, and returns what that changes.
        mutating func set(_ name: Identity, _ account: Identity?) -> [RevokedNames.Change] {
            let before = accounts[name]
            if before == account { return [] }
            accounts[name] = account
            var changes: [RevokedNames.Change] = []
            // The new one first: between the two it is one of both.
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

    /// Changed inside the lock that gives revocations their order, and read without it.
    private let state = Locked(State())

    package init() {}

    deinit {
        let names = state.withLock { $0.accounts.keys }
        change { state in names.flatMap { state.set($0, nil) } }
    }

    /// Has these be the other names of an account; those that it had before are free, and one of another account moves.
    ///
    /// - Parameters:
    ///   - forms: The caseless forms of the names; an empty one, and the account's own, are none.
    ///   - account: The account.
    ///   - announcing: Whether those who watch revocations hear of it, and handlers are called.
    package func set(_ forms: some Sequence<String>, of account: Identity, announcing: Bool = true) {
        let now = Set(forms.lazy.filter { !$0.isEmpty }.map { Identity(caselessName: $0) }).subtracting([account])
        // What was captured under a name has to be found out where it runs.
        if !now.isEmpty { IdentityRevocation.isOn = true }
        change(announcing: announcing) { state in
            let before = state.names[account] ?? []
            return now.subtracting(before).flatMap { state.set($0, account) }
                + before.subtracting(now).flatMap { state.set($0, nil) }
        }
    }

    /// Has a name be one more of an account, whoever's it was.
    package func add(_ name: Identity, to account: Identity) {
        IdentityRevocation.isOn = true
        change { $0.set(name, account) }
    }

    /// Has a name be an account's own from now on, whoever's it was.
    package func free(_ name: Identity) { change { $0.set(name, nil) } }

    /// The account that a name is another one of, by this keeper.
    ///
    /// - Complexity: O(1): one load for an account's own name.
    package func account(named name: Identity) -> Identity? {
        IdentityRevocation.isRevoked(name) ? state.withLock { $0.accounts[name] } : nil
    }

    /// The account of a name under its own one, or what is no other name as it is: as verified as before, and with those who act
    /// for it under their own names.
    package func resolved(_ name: Identity) -> Identity {
        let actor = name.actor?.named { self.account(named: $0) ?? $0 }
        let account = account(named: name)
        return account == nil && actor == name.actor ? name : name.named(as: account ?? name, actor: actor)
    }

    /// The other names of an account, by this keeper.
    package func names(of account: Identity) -> Set<Identity> { state.withLock { $0.names[account] ?? [] } }

    private func change(announcing: Bool = true, _ body: (inout State) -> [RevokedNames.Change]) {
        let named = RevokedNames.shared.change(announcing: announcing) { state.withLock { body(&$0) } }
        for name in named { _ = RevocationRegistration.call(for: name) }
    }
}

extension IdentityRevocation {
    /// The account that a name is another one of: no work is admitted under it, whenever an identity was made of it.
    ///
    /// - Complexity: O(1): one load where the name is none.
    package static func account(named name: Identity) -> Identity? {
        isRevoked(name) ? RevokedNames.shared.account(of: name) : nil
    }

    /// The other names of an account, by all who keep some.
    package static func otherNames(of account: Identity) -> Set<Identity> { RevokedNames.shared.names(of: account) }
}
