import MultiIdentity

/// Handlers that are set once and run once: of a cancelled task, of an ended stream.
extension HopCase {
    static let handlerCases = cancellationCases + terminationCases

    /// In a task that was already cancelled, so that each handler runs immediately; and in one that never is.
    private static let cancellationCases = [true, false].flatMap { isCancelled in
        let boundary = isCancelled ? "cancellation-handler" : "cancellation-handler-unused"
        let carried: @Sendable () -> HopParts = {
            let counter = Counter()
            return .inOneTask(isCancelled: isCancelled) {
                await Task<Never, Never>.propagatingIdentity.withCancellationHandler {
                } onCancel: {
                    counter.value += 1
                }
            }
        }
        return [
            HopCase(boundary, "raw") {
                let counter = Counter()
                return .inOneTask(isCancelled: isCancelled) {
                    await withTaskCancellationHandler {
                    } onCancel: {
                        counter.value += 1
                    }
                }
            },
            HopCase(boundary, "handwritten", .user) {
                let counter = Counter()
                return .inOneTask(isCancelled: isCancelled) {
                    let user = Handwritten.user
                    await withTaskCancellationHandler {
                    } onCancel: {
                        Handwritten.$user.withValue(user) { counter.value += 1 }
                    }
                }
            },
            HopCase(boundary, "floor", .user) {
                let counter = Counter()
                return .inOneTask(isCancelled: isCancelled) {
                    await withHandlerAsUser {
                    } onCancel: {
                        counter.value += 1
                    }
                }
            },
            HopCase(boundary, "carried", .identity, parts: carried),
            HopCase(boundary, "carried-unbound", parts: carried),
        ]
    }

    /// The minimum cost of a function that takes both as closures.
    @inline(never)
    private static func withHandlerAsUser(
        isolation: isolated (any Actor)? = #isolation,
        _ operation: nonisolated(nonsending) () async -> Void,
        onCancel handler: @escaping @Sendable () -> Void
    ) async {
        let user = Handwritten.user
        await withTaskCancellationHandler {
            _ = isolation
            await operation()
        } onCancel: {
            Handwritten.$user.withValue(user) { handler() }
        }
    }

    /// A stream with a handler, which is finished; the stream is part of the hop, since it has one handler.
    private static let terminationCases = [
        HopCase("stream-termination", "raw") {
            let counter = Counter()
            return .streams { continuation in continuation.onTermination = { _ in counter.value += 1 } }
        },
        HopCase("stream-termination", "handwritten", .user) {
            let counter = Counter()
            return .streams { continuation in
                let user = Handwritten.user
                continuation.onTermination = { _ in Handwritten.$user.withValue(user) { counter.value += 1 } }
            }
        },
        HopCase("stream-termination", "carried", .identity, parts: carriedStreams),
        HopCase("stream-termination", "carried-unbound", parts: carriedStreams),
    ]

    private static let carriedStreams: @Sendable () -> HopParts = {
        let counter = Counter()
        return .streams { continuation in
            continuation.propagatingIdentity.onTermination = { _ in counter.value += 1 }
        }
    }
}

extension HopParts {
    fileprivate static func streams(_ set: @escaping @Sendable (AsyncStream<Int>.Continuation) -> Void) -> HopParts {
        HopParts(enqueue: { hops in
            for _ in 0..<hops {
                let (stream, continuation) = AsyncStream<Int>.makeStream()
                set(continuation)
                withExtendedLifetime(stream) { continuation.finish() }
            }
        })
    }
}
