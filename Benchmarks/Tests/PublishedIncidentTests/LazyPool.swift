import Synchronization

/// A pool of one worker, which starts with the first work; it carries nothing.
final class LazyPool: Sendable {
    private let waiting = AsyncStream<@Sendable () -> Void>.makeStream()
    private let worker = Mutex<Task<Void, Never>?>(nil)

    deinit { waiting.continuation.finish() }

    /// Runs `body` on the worker, and returns its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        worker.withLock { worker in
            if worker == nil { worker = Task { [stream = waiting.stream] in for await work in stream { work() } } }
        }
        return await withCheckedContinuation { caller in
            _ = waiting.continuation.yield { caller.resume(returning: body()) }
        }
    }
}
