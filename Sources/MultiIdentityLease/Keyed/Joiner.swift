import MultiIdentity

/// One caller who waits for work that others wait for as well.
final class Joiner<Value: Sendable>: Sendable {
    private enum State {
        case new
        case suspended(CheckedContinuation<Result<Value, any Error>, Never>)
        case settled(Result<Value, any Error>)
    }

    private let owner: WorkOwner
    private let state = Locked(State.new)

    init(of owner: WorkOwner) { self.owner = owner }

    /// Ends the wait; only the first outcome counts.
    func settle(_ outcome: Result<Value, any Error>) {
        let old = state.withLock { state in
            defer { if case .settled = state {} else { state = .settled(outcome) } }
            return state
        }
        if case .suspended(let continuation) = old { continuation.resume(returning: outcome) }
    }

    /// The outcome; the owner's refusal instead where that was revoked by the time the caller goes on.
    nonisolated(nonsending) func value() async throws -> Value {
        let outcome = await withCheckedContinuation { continuation in
            let outcome: Result<Value, any Error>? = state.withLock { state in
                if case .settled(let outcome) = state { return outcome }
                state = .suspended(continuation)
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
        try owner.admit()
        return try outcome.get()
    }
}
