import Dispatch
import MultiIdentity
import Synchronization

/// What a waiter gets: a resource, or the right to open one.
enum LeaseGrant: Sendable {
    /// A resource.
    case slot(LeaseSlot)
    /// A free place in the ledger: the waiter opens a resource as nobody, and puts it there.
    case place(Int)
    /// The end of a wait that gives nothing.
    case done
}

/// A caller that waits: in line, for a resource to be opened, or for a step of the pool on a resource.
///
/// The ledger lists a waiter from the beginning of its wait until it is settled. Both changes happen under the ledger's lock.
final class LeaseWaiter: Sendable {
    let request: LeaseRequest
    /// The moment at which the wait ends.
    let deadline: Duration?
    /// The places in the line and among the deadlines (0 is none), and of the resource that is being opened; changed under the ledger's
    /// lock.
    let placeInLine = Atomic<Int>(0)
    let placeInTime = Atomic<Int>(0)
    let placeOpened = Atomic<Int>(-1)

    private enum State {
        case new
        case suspended(CheckedContinuation<LeaseGrant, any Error>)
        case blocked(DispatchSemaphore)
        case settled(Result<LeaseGrant, any Error>)
    }

    private let state = Locked(State.new)

    init(_ request: LeaseRequest, until deadline: Duration?) {
        self.request = request
        self.deadline = deadline
    }

    var isSettled: Bool { state.withLock { if case .settled = $0 { true } else { false } } }

    /// Ends the wait, and lets the caller resume the waiter, since a lock may be held here.
    ///
    /// - Returns: The wake-up, to call outside of locks; `nil` if the wait was already over.
    func claim(_ outcome: Result<LeaseGrant, any Error>) -> WakeUp? {
        let old = state.withLock { state in
            defer { if case .settled = state {} else { state = .settled(outcome) } }
            return state
        }
        return switch old {
        case .settled: nil
        case .new: .nobody
        case .suspended(let continuation): .task(continuation, outcome)
        case .blocked(let semaphore): .thread(semaphore)
        }
    }

    /// Resumes a waiter.
    enum WakeUp {
        case nobody
        case task(CheckedContinuation<LeaseGrant, any Error>, Result<LeaseGrant, any Error>)
        case thread(DispatchSemaphore)

        func callAsFunction() {
            switch self {
            case .nobody: break
            case .task(let continuation, let outcome): continuation.resume(with: outcome)
            case .thread(let semaphore): semaphore.signal()
            }
        }
    }

    /// Waits without blocking.
    nonisolated(nonsending) func granted() async throws -> LeaseGrant {
        try await withCheckedThrowingContinuation { continuation in
            let outcome: Result<LeaseGrant, any Error>? = state.withLock { state in
                if case .settled(let outcome) = state { return outcome }
                state = .suspended(continuation)
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// Waits on this thread; returns `nil` when the time is up.
    func grantedBlocking(within limit: Duration?) throws -> LeaseGrant? {
        let semaphore = DispatchSemaphore(value: 0)
        let isWaiting = state.withLock { state in
            if case .settled = state { return false }
            state = .blocked(semaphore)
            return true
        }
        if isWaiting {
            if let limit {
                let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18
                _ = semaphore.wait(timeout: .now() + seconds)
            } else {
                semaphore.wait()
            }
        }
        return try state.withLock { state -> Result<LeaseGrant, any Error>? in
            if case .settled(let outcome) = state { outcome } else { nil }
        }?.get()
    }
}
