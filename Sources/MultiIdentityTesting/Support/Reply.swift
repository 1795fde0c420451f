import MultiIdentity

/// One value that is awaited with a limit.
final class Reply<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    /// Sends the value; only the first one counts.
    func send(_ value: Value) {
        resume { state in
            if state.value == nil { state.value = value }
        }
    }

    /// The value so far.
    var value: Value? { state.withLock { $0.value } }

    /// Waits for the value; there may be one waiter at a time.
    ///
    /// - Parameter limit: The longest time to wait, on the continuous clock.
    /// - Returns: The value, or `nil` if none came within the limit.
    /// - Throws: `CancellationError` once the waiting task is cancelled.
    func value(within limit: Duration) async throws -> Value? {
        if let value { return value }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.answer() }
            group.addTask { try await Task.sleep(for: limit, clock: .continuous) }
            try await group.next()
            group.cancelAll()
        }
        if let value { return value }
        try Task.checkCancellation()
        return nil
    }

    /// Returns when there is a value, or the task is cancelled.
    private func answer() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A cancellation before the lock was taken is seen here; later, `onCancel` finds the continuation.
                    if state.value != nil || Task.isCancelled { return true }
                    state.waiting = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            resume { _ in }
        }
    }

    private func resume(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}

/// An object that work captures, which reports when it is released.
final class Farewell: Sendable {
    private let said: Reply<Void>

    init(_ said: Reply<Void>) { self.said = said }

    deinit { said.send(()) }
}
