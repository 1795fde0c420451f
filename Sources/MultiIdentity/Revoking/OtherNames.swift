import Synchronization

/// The names that are other ones of accounts now, and of which.
///
/// Such a name counts as revoked (``RevokedNames``), which is what everything that refuses asks; this says whose name it is, to
/// those that do refuse. A leaf lock: nobody is called with it, and no other lock is taken.
final class OtherNames: Sendable {
    static let shared = OtherNames()

    /// A name that is another one of an account from now on, or no longer.
    enum Change {
        case added(Identity, to: Identity)
        case removed(Identity, from: Identity)
    }

    private struct State {
        /// The accounts that a name is said to be another one of, each as often as it is said; the first one counts.
        var accounts: [Identity: [Identity]] = [:]
        /// The names of an account, each with how often it is said.
        var names: [Identity: [Identity: Int]] = [:]

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
    private let areThere = Atomic(false)

    /// The account that a name is another one of.
    func account(of name: Identity) -> Identity? {
        if !areThere.load(ordering: .acquiring) { return nil }
        return state.withLock { $0.accounts[name]?.first }
    }

    /// The other names of an account.
    func names(of account: Identity) -> Set<Identity> {
        if !areThere.load(ordering: .acquiring) { return [] }
        return state.withLock { Set(($0.names[account] ?? [:]).keys) }
    }

    func add(_ name: Identity, of account: Identity) {
        state.withLock { state in
            state.accounts[name, default: []].append(account)
            state.names[account, default: [:]][name, default: 0] += 1
            areThere.store(true, ordering: .releasing)
        }
    }

    func remove(_ name: Identity, of account: Identity) {
        state.withLock { state in
            state.remove(name, of: account)
            areThere.store(!state.accounts.isEmpty, ordering: .releasing)
        }
    }

    /// Returns whether a name is nobody's other name any more once an account no longer has it.
    func isFree(_ name: Identity, without account: Identity) -> Bool {
        state.withLock { $0.accounts[name] ?? [] == [account] }
    }
}

extension IdentityRevocation {
    /// The account that a name is another one of: no work is admitted under it, whenever an identity was made of it.
    ///
    /// - Complexity: O(1): one load where the name is none.
    package static func account(named name: Identity) -> Identity? {
        isRevoked(name) ? OtherNames.shared.account(of: name) : nil
    }

    /// The other names of an account, by all who keep some.
    package static func otherNames(of account: Identity) -> Set<Identity> { OtherNames.shared.names(of: account) }
}
