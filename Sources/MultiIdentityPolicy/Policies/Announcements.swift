import MultiIdentity

/// Delivers changes to observers: each change once and in order, one call at a time, outside of any lock.
package final class Announcements<Change: Sendable>: Sendable {
    private struct State {
        var observers: [UInt64: @Sendable (Change) -> Void] = [:]
        var nextObserver: UInt64 = 0
        /// The changes not delivered yet, each with the observers that were subscribed when it happened.
        var untold: [(change: Change, observers: [UInt64])] = []
        var isTelling = false
    }

    private let state = Locked(State())

    package init() {}

    /// Calls `changed` once for each change from now on, under the identity that is bound here.
    package func subscribe(_ changed: @escaping @Sendable (Change) -> Void) -> Subscription {
        let snapshot = IdentitySnapshot.capture()
        let identifier = state.withLock { state in
            state.nextObserver += 1
            state.observers[state.nextObserver] = { change in snapshot.restore { changed(change) } }
            return state.nextObserver
        }
        return Subscription { [weak self] in
            // Release the observer's captures outside the lock, since their deinit may call back.
            _ = self?.state.withLock { $0.observers.removeValue(forKey: identifier) }
        }
    }

    /// Adds a change, which ``notifyAll()`` delivers; called under the lock, if any, that orders changes.
    package func add(_ change: Change) {
        state.withLock { state in
            if !state.observers.isEmpty { state.untold.append((change, state.observers.keys.sorted())) }
        }
    }

    /// Delivers the changes in order, unless another thread is doing so, which then delivers these too.
    package func notifyAll() {
        let isFirst = state.withLock { state in
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isFirst else { return }
        while let (change, observers) = next() {
            for identifier in observers {
                // Looked up each time: an observer that was cancelled meanwhile is not called any more.
                let observer = state.withLock { $0.observers[identifier] }
                observer?(change)
            }
        }
    }

    private func next() -> (change: Change, observers: [UInt64])? {
        state.withLock { state in
            if state.untold.isEmpty {
                state.isTelling = false
                return nil
            }
            return state.untold.removeFirst()
        }
    }
}
