import MultiIdentity

/// A time for which work goes on once its caller was cancelled.
struct GracePeriod: Sendable {
    let time: Duration
    let clock: LeaseClock

    /// Runs `work` in a task that its caller's cancellation does not reach before the time is over.
    ///
    /// Then it is cancelled, and no longer waited for.
    ///
    /// - Throws: What `work` throws; ``LeaseError`` with `.exceededMaxDuration` when the time is over.
    nonisolated(nonsending) func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (joiner, timer) = (Joiner<Value>(of: .nobody), Locked<Task<Void, Never>?>(nil))
        // Not detached: it has the task-locals of the caller.
        let task = Task {
            do { joiner.settle(.success(try await work())) } catch { joiner.settle(.failure(error)) }
        }
        defer { timer.withLock { $0 }?.cancel() }
        return try await withTaskCancellationHandler {
            try await joiner.value()
        } onCancel: {
            let sleeper = Task.detached { [time, clock] in
                await clock.sleep(until: clock.now() + time)
                if Task.isCancelled { return }
                task.cancel()
                joiner.settle(.failure(Self.isOver(time)))
            }
            timer.withLock { $0 = sleeper }
        }
    }

    private static func isOver(_ time: Duration) -> LeaseError {
        LeaseError(
            .exceededMaxDuration,
            """
            The task was cancelled, and what follows a message's handler did not end within \(time) of that: the message's fate \
            is unknown. Acknowledge and retry in less time, or raise the grace period.
            """
        )
    }
}
