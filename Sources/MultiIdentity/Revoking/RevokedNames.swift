import Synchronization

/// The names that may not work now: the revoked ones with their reasons, and the aliases of accounts, which count as revoked.
///
/// Nothing else is stored. It retains the identities and so their records, where every copy of an identity sees the revocation.
final class RevokedNames: Sendable {
    static let shared = RevokedNames()

    private struct State {
        var reasons: [Identity: IdentityRevocation.Reason] = [:]
        /// Names that may not be readmitted for now, since a wipe is under way; the number of holders.
        var holders: [Identity: Int] = [:]
        /// Names that were signed out or completely wiped: other revoked ones are still being wiped.
        var departed: Set<Identity> = []
        var watchers: [ObjectIdentifier: any RevocationWatcher] = [:]
    }

    /// A name that becomes an alias of an account, or is no longer one.
    enum Change {
        case added(Identity, to: Identity)
        case removed(Identity, from: Identity)
    }

    private struct Others {
        /// The accounts that registries name for an alias, each as often as it is named; the first one counts.
        var accounts: [Identity: [Identity]] = [:]
        /// The aliases of an account, each with the number of registries that name it.
        var names: [Identity: [Identity: Int]] = [:]

        mutating func add(_ name: Identity, of account: Identity) {
            accounts[name, default: []].append(account)
            names[account, default: [:]][name, default: 0] += 1
        }

        /// Removes one entry in constant time: an alias hardly ever has more than one account.
        mutating func remove(_ name: Identity, of account: Identity) {
            guard let index = accounts[name]?.firstIndex(of: account) else { return }
            accounts[name]?.remove(at: index)
            if accounts[name]?.isEmpty == true { accounts[name] = nil }
            let left = (names[account]?[name] ?? 0) - 1
            names[account]?[name] = left > 0 ? left : nil
            if names[account]?.isEmpty == true { names[account] = nil }
        }
    }

    private let state = Locked(State())
    // A leaf lock, taken inside the other one: no other code is called with it. Most programs never need it.
    private let others = Locked(Others())
    private let hasOthers = Atomic(false)

    /// Returns the account that a name is an alias of.
    func account(of name: Identity) -> Identity? {
        hasOthers.load(ordering: .acquiring) ? others.withLock { $0.accounts[name]?.first } : nil
    }

    /// Returns the aliases of an account.
    func names(of account: Identity) -> Set<Identity> {
        hasOthers.load(ordering: .acquiring) ? others.withLock { Set(($0.names[account] ?? [:]).keys) } : []
    }

    private func changeOthers(_ change: (inout Others) -> Void) {
        others.withLock { others in
            change(&others)
            hasOthers.store(!others.accounts.isEmpty, ordering: .releasing)
        }
    }

    var all: [Identity: IdentityRevocation.Reason] { state.withLock { $0.reasons } }

    func has(_ identity: Identity) -> Bool { state.withLock { $0.reasons[identity] != nil } }

    func hasDeparted(_ identity: Identity) -> Bool { state.withLock { $0.departed.contains(identity) } }

    func add(_ identity: Identity, for reason: IdentityRevocation.Reason) {
        change { state in
            // Not the record's state: an alias of an account is already revoked there.
            let old = state.reasons[identity]
            guard old == nil || old == .signedOut && reason == .wiped else { return [] }
            identity.spelling.record.change { $0.revoked(for: reason) }
            state.reasons[identity] = reason
            guard reason == .signedOut else { return [.revoked(identity, reason)] }
            state.departed.insert(identity)
            return [.revoked(identity, reason), .departed(identity)]
        }
    }

    func remove(_ identity: Identity, after reason: IdentityRevocation.Reason) -> Bool {
        let events = change { state in
            guard state.holders[identity] == nil, let index = state.reasons.index(forKey: identity),
                state.reasons[index].value == reason || reason == .wiped
            else { return [] }
            let isFree = account(of: identity) == nil
            // An alias stays refused for that reason alone.
            identity.spelling.record.change { isFree ? $0.readmitted : $0.readmitted.revoked(for: .signedOut) }
            // What is removed is released with the event, outside the lock: an identity's deinit may take other locks.
            let (known, _) = state.reasons.remove(at: index)
            let departed = state.departed.remove(identity)
            return isFree ? [.readmitted(departed ?? known)] : []
        }
        return !events.isEmpty
    }

    /// Makes names aliases of accounts, or removes them, and returns those that are refused from now on and announced.
    ///
    /// `body` returns the changes, inside the lock, so that the changes of one registry are in order.
    func change(announcing: Bool, _ body: () -> [Change]) -> [Identity] {
        let events = change { state in
            body().compactMap { change in
                switch change {
                case .added(let name, let account):
                    // The account is added first, and removed last: otherwise a refused name without an account would look revoked.
                    changeOthers { $0.add(name, of: account) }
                    let old = name.spelling.record.change { $0.revoked(for: .signedOut) }
                    return announcing && !old.isRevoked ? .revoked(name, .signedOut) : nil
                case .removed(let name, let account):
                    let isSaidOnce = others.withLock { $0.accounts[name] ?? [] == [account] }
                    let isFree = isSaidOnce && state.reasons[name] == nil
                    if isFree { name.spelling.record.change { $0.readmitted } }
                    changeOthers { $0.remove(name, of: account) }
                    return isFree ? .readmitted(name) : nil
                }
            }
        }
        return events.compactMap { if case .revoked(let name, _) = $0 { name } else { nil } }
    }

    func wipeIsComplete(of identity: Identity) {
        change { state in
            guard state.reasons[identity] == .wiped, state.departed.insert(identity).inserted else { return [] }
            return [.departed(identity)]
        }
    }

    /// Adds a watcher for future events, and first passes it the events of the names that are already revoked.
    func add(_ watcher: any RevocationWatcher) {
        state.withLock { state in
            state.watchers[ObjectIdentifier(watcher)] = watcher
            for (identity, reason) in state.reasons {
                watcher.note(.revoked(identity, reason))
                if state.departed.contains(identity) { watcher.note(.departed(identity)) }
            }
        }
    }

    func remove(_ watcher: any RevocationWatcher) {
        state.withLock { _ = $0.watchers.removeValue(forKey: ObjectIdentifier(watcher)) }
    }

    /// Changes the state, and passes the resulting events to each watcher before the next change.
    @discardableResult
    private func change(_ body: (inout State) -> [RevocationEvent]) -> [RevocationEvent] {
        let (events, watchers) = state.withLock { state -> ([RevocationEvent], [any RevocationWatcher]) in
            let events = body(&state)
            if events.isEmpty { return ([], []) }
            let watchers = Array(state.watchers.values)
            for event in events { for watcher in watchers { watcher.note(event) } }
            return (events, watchers)
        }
        for watcher in watchers { watcher.notify() }
        return events
    }

    func hold(_ identity: Identity) { state.withLock { $0.holders[identity, default: 0] += 1 } }

    func letGo(_ identity: Identity) {
        state.withLock { state in
            let left = state.holders[identity, default: 0] - 1
            state.holders[identity] = left > 0 ? left : nil
        }
    }
}
