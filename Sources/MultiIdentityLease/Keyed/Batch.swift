import MultiIdentity

/// The keys of one owner to load together.
final class Batch<Key: Hashable & Sendable>: Sendable {
    private struct State {
        /// The keys in the order of the requests.
        var keys: [Key] = []
        var known: Set<Key> = []
        var sleeper: Task<Void, Never>?
        var isClosed = false
    }

    let number: UInt64
    private let state = Locked(State())

    init(_ number: UInt64) { self.number = number }

    var keys: [Key] { state.withLock { $0.keys } }

    func contains(_ key: Key) -> Bool { state.withLock { $0.known.contains(key) } }

    /// Adds a key.
    ///
    /// - Returns: The number of keys.
    func add(_ key: Key) -> Int {
        state.withLock { state in
            if state.known.insert(key).inserted { state.keys.append(key) }
            return state.keys.count
        }
    }

    /// Waits for more keys until a moment, until the batch is closed, or until the task is cancelled.
    func collect(until moment: Duration, _ clock: LeaseClock) async {
        if state.withLock({ $0.isClosed }) { return }
        let sleeper = Task.detached { await clock.sleep(until: moment) }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.sleeper = sleeper }
            return state.isClosed
        }
        if isClosed { sleeper.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
    }

    /// Ends the wait for more keys.
    func close() {
        let sleeper = state.withLock { state in
            defer { (state.isClosed, state.sleeper) = (true, nil) }
            return state.sleeper
        }
        sleeper?.cancel()
    }
}
