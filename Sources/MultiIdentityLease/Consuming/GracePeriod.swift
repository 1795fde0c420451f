import MultiIdentity

/// The time for which work may continue after its caller is cancelled.
struct GracePeriod: Sendable {
    let time: Duration
    let clock: LeaseClock

    /// Runs `work` in a task that the caller's cancellation does not reach until the grace period ends.
    ///
    /// Then the task is cancelled and no longer awaited.
    ///
    /// - Throws: The error of `work`; ``LeaseError`` with `.exceededMaxDuration` when the grace period ends.
    nonisolated(nonsending) func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (joiner, timer) = (Joiner<Value>(of: .nobody), Locked<Task<Void, Never>?>(nil))
        // Not detached: the task inherits the caller's task-local values.
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
            The task was cancelled, and the steps after a message's handler did not end within \(time): the fate of the message \
            is unknown. Acknowledge and retry faster, or raise the grace period.
            """
        )
    }
}
