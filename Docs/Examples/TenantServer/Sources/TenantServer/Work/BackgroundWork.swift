import HTTPTypes
import ServiceLifecycle

/// Work that outlives the request which caused it.
///
/// The jobs run as tasks of this service, which stops gracefully: no job is left behind. Such a task is a child of the
/// service's, not of the request's, and would run as nobody; so each job is kept together with its identity.
final class BackgroundWork: Service {
    private let keeping: IdentityKeeping
    private let jobs: AsyncStream<@Sendable () async -> Void>
    private let enqueued: AsyncStream<@Sendable () async -> Void>.Continuation

    /// - Parameters:
    ///   - keeping: The way in which the user of work is kept.
    ///   - capacity: How many jobs may wait.
    init(keeping: IdentityKeeping, capacity: Int = 10_000) {
        self.keeping = keeping
        (jobs, enqueued) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(capacity))
    }

    /// Has `job` run soon, as its caller.
    ///
    /// - Parameter job: The work.
    /// - Throws: ``Refusal``, where too many wait or the server is stopping: nothing is dropped silently.
    func enqueue(_ job: @escaping @Sendable () async -> Void) throws {
        guard case .enqueued = enqueued.yield(keeping.kept(job)) else {
            throw Refusal(
                .serviceUnavailable,
                code: "busy",
                "Too much work waits, or the server stops: try again later."
            )
        }
    }

    /// Runs the jobs, until the server stops and all of them have run.
    func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await job in jobs { group.addTask { await job() } }
            }
        } onGracefulShutdown: {
            self.enqueued.finish()
        }
    }
}
