import MultiIdentity

/// One caller who waits for work that others wait for as well.
final class Joiner<Value: Sendable>: Sendable {
    private enum State {
        case new
        case suspended(CheckedContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
    }

    private let state = Locked(State.new)

    /// Ends the wait; only the first outcome counts.
    func settle(_ outcome: Result<Value, any Error>) {
        let old = state.withLock { state in
            defer { if case .settled = state {} else { state = .settled(outcome) } }
            return state
        }
        if case .suspended(let continuation) = old { continuation.resume(with: outcome) }
    }

    nonisolated(nonsending) func value() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let outcome: Result<Value, any Error>? = state.withLock { state in
                if case .settled(let outcome) = state { return outcome }
                state = .suspended(continuation)
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }
}
