import CMultiIdentity

/// Those who want to know when an identity is revoked.
final class RevocationHandlers: Sendable {
    static let shared = RevocationHandlers()

    typealias Ticket = UInt64

    /// A thread that calls the handlers of an identity; by its address, which is compared only.
    private struct Caller: Hashable {
        let identity: Identity
        let thread = UInt(bitPattern: mi_thread_current())
    }

    private struct State {
        var next: Ticket = 0
        var handlers: [Identity: [Ticket: @Sendable () -> Void]] = [:]
        var callers: [Caller: Int] = [:]
    }

    private let state = Locked(State())

    func add(_ handler: @escaping @Sendable () -> Void, for identity: Identity) -> Ticket {
        state.withLock { state in
            state.next += 1
            state.handlers[identity, default: [:]][state.next] = handler
            return state.next
        }
    }

    func remove(_ ticket: Ticket, for identity: Identity) {
        // Let go of outside the lock: what it captured may take other locks when it goes.
        let removed = state.withLock { state in
            let removed = state.handlers[identity]?.removeValue(forKey: ticket)
            if state.handlers[identity]?.isEmpty == true { state.handlers[identity] = nil }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Calls each once, in the order in which they came.
    func call(for identity: Identity) -> Int {
        let caller = Caller(identity: identity)
        let taken = state.withLock { state in
            state.callers[caller, default: 0] += 1
            return state.handlers.removeValue(forKey: identity) ?? [:]
        }
        defer {
            state.withLock { state in
                let left = state.callers[caller, default: 0] - 1
                state.callers[caller] = left > 0 ? left : nil
            }
        }
        for (_, handler) in taken.sorted(by: { $0.key < $1.key }) { handler() }
        return taken.count
    }

    /// Calls those who came after the revocation; not from within one of the same identity's handlers, where one that
    /// registers itself anew would be called for ever.
    func callLate(for identity: Identity) {
        let caller = Caller(identity: identity)
        if state.withLock({ $0.callers[caller] == nil }) { _ = call(for: identity) }
    }
}
