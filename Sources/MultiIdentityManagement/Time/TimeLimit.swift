import MultiIdentityPolicy

/// A time limit for operations that may ignore cancellation.
enum TimeLimit {
    /// The time limit passed before there was an answer.
    struct Exceeded: Error {}

    // With `endsWithCaller` it throws `CancellationError` at once when the caller's task is cancelled.
    /// Runs `operation` with nothing bound until `limit` returns; if it succeeds after that, `late` is called.
    static func run<Value: Sendable>(
        on executor: (any TaskExecutor)? = nil,
        endsWithCaller: Bool = false,
        until limit: @escaping @Sendable () async throws -> Void,
        operation: @escaping @Sendable () async throws -> Value,
        late: (@Sendable () async -> Void)? = nil
    ) async throws -> Value {
        let promise = Promise<Result<Value, any Error>>()
        let work = Task.detached(executorPreference: executor) {
            do {
                if !promise.give(.success(try await operation())), let late {
                    // In another task, because this one is cancelled.
                    Task.detached(executorPreference: executor, operation: late)
                }
            } catch {
                promise.give(.failure(error))
            }
        }
        let timer = Task.detached(executorPreference: executor) {
            // Cancelled once there is an answer; a later one does not count.
            try await limit()
            promise.give(.failure(Exceeded()))
        }
        let result =
            await endsWithCaller
            ? promise.wait(orOnCancellation: .failure(CancellationError())) : promise.wait()
        timer.cancel()
        work.cancel()
        return try result.get()
    }
}
