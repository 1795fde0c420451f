import Foundation
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

    /// It is cancelled, and was not before.
    func noteCancelled(by canceller: IdentitySnapshot = .ofTrigger) {
        state.withLock { if case .unknown = $0 { $0 = .cancelled(by: canceller) } }
    }

    /// Has the completion block run as what is bound here, when the operation that begins now has ended, and shows it this end.
    func carry(_ completionBlock: @escaping @Sendable () -> Void, of operation: Operation) {
        let captured = BoundaryCapture(at: .completionBlock, of: operation.name)
        operation.completionBlock = captured.wrapOnce(completionBlock, endedBy: self)
        if !operation.isCancelled { watch(operation) }
    }

    /// Notes who finishes the operation.
    ///
    /// Foundation on Linux asks dependents on the thread that finishes, and only then hands the completion block over.
    /// Where it makes no such promise nobody knows who finished.
    private func watch(_ operation: Operation) {
        noteRuns()
        #if !canImport(Darwin)
        let noting = OperationWatch { [self, weak operation] in
            if let operation, !operation.isCancelled { noteFinished() }
        }
        noting.begin(on: operation)
        #endif
    }

    /// It begins to run, cancelled meanwhile or not.
    private func noteRuns() {
        let last = state.withLock { state in
            defer { state = .ran }
            return state
        }
        withExtendedLifetime(last) {}  // out of the lock
    }

    /// It ran, and has finished here.
    private func noteFinished() {
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

extension BoundaryCapture {
    /// A closure that runs `work` as the captured identity, and lets go of the identity at its first call; it is
    /// shown who ended the operation.
    ///
    /// For closures that somebody keeps long after they have run, as an operation keeps its completion block.
    func wrapOnce(
        _ work: @escaping @Sendable () -> Void,
        endedBy end: OperationEnd
    ) -> @Sendable () -> Void {
        let held = Locked<BoundaryCapture?>(self)
        return {
            let captured = held.withLock { held in
                defer { held = nil }
                return held
            }
            if let captured { captured.restore(triggeredBy: end.takeTrigger(), work) } else { work() }
        }
    }
}
