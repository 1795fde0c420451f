import MultiIdentity

/// A running wipe, for all who wait for it.
final class RunningWipe: Sendable {
    /// The report; `nil` if there was nothing to resume.
    typealias Outcome = Result<WipeReport?, ProtectionError>
    typealias Watcher = @Sendable (WipeProgress) -> Void

    private struct State {
        var outcome: Outcome?
        var phase = WipePhase.revoking
        var next = 0
        var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
        var watchers: [Int: Watcher] = [:]
    }

    /// The wipe that has its handler running here.
    @TaskLocal static var handled: RunningWipe?

    let identity: Identity
    private let state = Locked(State())

    init(of identity: Identity) { self.identity = identity }

    var phase: WipePhase { state.withLock { $0.phase } }

    /// Waits for the end of the wipe, or for the cancellation of the calling task.
    func wait(_ watcher: Watcher?) async -> Outcome {
        let ticket = state.withLock { state in
            state.next += 1
            if let watcher { state.watchers[state.next] = watcher }
            return state.next
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Outcome? in
                    if let outcome = state.outcome { return outcome }
                    // Checked under the lock: a later cancellation finds the waiter.
                    if Task.isCancelled { return .failure(.stoppedWaiting(identity)) }
                    state.waiters[ticket] = continuation
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.watchers[ticket] = nil
                return state.waiters.removeValue(forKey: ticket)
            }
            waiter?.resume(returning: .failure(.stoppedWaiting(identity)))
        }
    }

    func notify(_ progress: WipeProgress) {
        let watchers = state.withLock { state in
            state.phase = progress.phase
            return state.watchers.sorted { $0.key < $1.key }.map(\.value)
        }
        for watcher in watchers { watcher(progress) }
    }

    func finish(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            state.watchers = [:]
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: outcome) }
    }
}
