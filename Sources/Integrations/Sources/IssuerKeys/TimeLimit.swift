#if OpenIDConnect || SecurityEvents
/// An answer took too long.
package struct TimeLimitExceeded: Error {}

/// Runs `operation` for at most this time, even if it ignores its cancellation; a later answer is ignored.
package func within<Value: Sendable>(
    _ limit: Duration,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let (answers, answer) = AsyncThrowingStream<Value, any Error>.makeStream()
    let work = Task {
        do {
            answer.yield(try await operation())
            answer.finish()
        } catch { answer.finish(throwing: error) }
    }
    let timer = Task {
        try await Task.sleep(for: limit)
        answer.finish(throwing: TimeLimitExceeded())
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    for try await value in answers { return value }
    throw CancellationError()
}
#endif
