/// Who is revoked now, for as long as that lasts; nothing else is kept of anybody.
///
/// It holds the identities, and so their records, by which everybody who has one learns that it is revoked.
final class RevokedNames: Sendable {
    static let shared = RevokedNames()

    private struct State {
        var reasons: [Identity: IdentityRevocation.Reason] = [:]
        /// Those that nobody may readmit for now, as a wipe is under way; how many hold them.
        var holders: [Identity: Int] = [:]
    }

    private let state = Locked(State())

    var all: [Identity: IdentityRevocation.Reason] { state.withLock { $0.reasons } }

    func add(_ identity: Identity, for reason: IdentityRevocation.Reason) {
        state.withLock { state in
            let old = identity.spelling.record.change { $0.revoked(for: reason) }
            if !old.isRevoked || reason == .wiped { state.reasons[identity] = reason }
        }
    }

    func remove(_ identity: Identity, after reason: IdentityRevocation.Reason) -> Bool {
        // What is taken out goes outside the lock: an identity's end may take other locks.
        let removed: Dictionary<Identity, IdentityRevocation.Reason>.Element? = state.withLock { state in
            guard state.holders[identity] == nil, let index = state.reasons.index(forKey: identity),
                state.reasons[index].value == reason || reason == .wiped
            else { return nil }
            identity.spelling.record.change { $0.readmitted }
            return state.reasons.remove(at: index)
        }
        return removed != nil
    }

    func hold(_ identity: Identity) { state.withLock { $0.holders[identity, default: 0] += 1 } }

    func letGo(_ identity: Identity) {
        state.withLock { state in
            let left = state.holders[identity, default: 0] - 1
            state.holders[identity] = left > 0 ? left : nil
        }
    }
}
