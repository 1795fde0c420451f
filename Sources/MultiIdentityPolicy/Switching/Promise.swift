import MultiIdentity

/// An answer that one task waits for; if there are several, the first counts.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case awaited(CheckedContinuation<Value, Never>?)
        case given(Value)
    }

    private let state = Locked(State.awaited(nil))

    package init() {}

    /// Answers.
    ///
    /// - Returns: Whether this was the first answer.
    @discardableResult
    package func give(_ value: Value) -> Bool {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            guard case .awaited(let waiting) = state else { return (false, nil) }
            state = .given(value)
            return (true, waiting)
        }
        waiting?.resume(returning: value)
        return isFirst
    }

    /// The answer so far.
    var given: Value? {
        state.withLock { if case .given(let value) = $0 { value } else { nil } }
    }

    /// Waits for the first answer; one task may wait.
    package func wait() async -> Value {
        await withCheckedContinuation { continuation in
            let given = state.withLock { state -> Value? in
                if case .given(let value) = state { return value }
                state = .awaited(continuation)
                return nil
            }
            if let given { continuation.resume(returning: given) }
        }
    }

    /// Waits for the first answer; it is `cancelled` if the task is cancelled before.
    package func wait(orOnCancellation cancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await wait()
        } onCancel: {
            give(cancelled)
        }
    }
}
