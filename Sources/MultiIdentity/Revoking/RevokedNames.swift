import Synchronization

/// The names that may not work now, for as long as that lasts: those that were revoked, and those that are other ones of accounts,
/// which count as revoked, and of which.
///
/// Nothing else is kept of anybody. It holds the identities, and so their records, by which everybody who has one learns that it is
/// revoked.
final class RevokedNames: Sendable {
    static let shared = RevokedNames()

    private struct State {
        var reasons: [Identity: IdentityRevocation.Reason] = [:]
        /// Those that nobody may readmit for now, as a wipe is under way; how many hold them.
        var holders: [Identity: Int] = [:]
        /// Those that were signed out or wiped to the end: others that are revoked are being wiped still.
        var departed: Set<Identity> = []
        var watchers: [ObjectIdentifier: any RevocationWatcher] = [:]
    }

    /// A name that is another one of an account from now on, or no longer.
    enum Change {
        case added(Identity, to: Identity)
        case removed(Identity, from: Identity)
    }

    private struct Others {
        /// The accounts that a name is said to be another one of, each as often as it is said; the first one counts.
        var accounts: [Identity: [Identity]] = [:]
        /// The names of an account, each with how often it is said.
        var names: [Identity: [Identity: Int]] = [:]

        mutating func add(_ name: Identity, of account: Identity) {
            accounts[name, default: []].append(account)
            names[account, default: [:]][name, default: 0] += 1
        }

        /// Takes one saying back, in constant time: of a name, hardly more than one account is ever said.
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
    // A leaf lock, taken inside the other one: nobody is called with it. Most programs never have any.
    private let others = Locked(Others())
    private let hasOthers = Atomic(false)

    /// The account that a name is another one of.
    func account(of name: Identity) -> Identity? {
        hasOthers.load(ordering: .acquiring) ? others.withLock { $0.accounts[name]?.first } : nil
    }

    /// The other names of an account.
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
            // Not as its record has it: a name that is another one of an account is revoked there already.
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
            // Another name of an account stays refused, by that alone.
            identity.spelling.record.change { isFree ? $0.readmitted : $0.readmitted.revoked(for: .signedOut) }
            // What is taken out goes with the event, outside the lock: an identity's end may take other locks.
            let (known, _) = state.reasons.remove(at: index)
            let departed = state.departed.remove(identity)
            return isFree ? [.readmitted(departed ?? known)] : []
        }
        return !events.isEmpty
    }

    /// Has names be other ones of accounts, or no longer, and returns those that are refused from now on and announced.
    ///
    /// `body` says what changes, inside the lock, so that the changes of one keeper have one order.
    func change(announcing: Bool, _ body: () -> [Change]) -> [Identity] {
        let events = change { state in
            body().compactMap { change in
                switch change {
                case .added(let name, let account):
                    // The account first, and last below: who finds a name refused and no account, finds one that was revoked.
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

    /// Has a watcher note what happens from now on, and first what has happened to those who are revoked already.
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

    /// Changes the state, and has each watcher note what that comes to before anything else changes.
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
