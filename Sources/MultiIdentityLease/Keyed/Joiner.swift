import MultiIdentity

/// A caller that waits for shared work.
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

    /// Waits for the outcome; throws the owner's refusal instead if the owner was revoked before the caller resumes.
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
