import MultiIdentity

/// The identity that ended an operation, as far as it is known: the trigger of its completion block.
///
/// An operation that ran is ended by the code that says that it has finished, one that was cancelled before it could run
/// by its canceller. Where one was cancelled meanwhile, nobody can tell which of the two it was.
final class OperationEnd: Sendable {
    private enum State: Sendable {
        case unknown
        case cancelled(by: IdentitySnapshot)
        case ran
        case finished(by: IdentitySnapshot)
    }

    private let state = Locked(State.unknown)

    /// It is cancelled here, and was not before.
    func noteCancelled() {
        let here = IdentitySnapshot.ofTrigger
        state.withLock { if case .unknown = $0 { $0 = .cancelled(by: here) } }
    }

    /// It begins to run, cancelled meanwhile or not.
    func noteRuns() {
        let last = state.withLock { state in
            defer { state = .ran }
            return state
        }
        withExtendedLifetime(last) {}  // out of the lock
    }

    /// It ran, and has finished here.
    func noteFinished() {
        let here = IdentitySnapshot.ofTrigger
        state.withLock { if case .ran = $0 { $0 = .finished(by: here) } }
    }

    /// Takes the identity that ended it, for the one completion block, which is about to run.
    func takeTrigger() -> IdentitySnapshot? {
        let last = state.withLock { state in
            defer { state = .unknown }
            return state
        }
        return switch last {
        case .cancelled(let trigger), .finished(let trigger): trigger
        case .unknown, .ran: nil
        }
    }
}
