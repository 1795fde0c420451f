public import GRDB
public import Logging
import MultiIdentity
public import ServiceLifecycle
import Synchronization

/// Runs a queue's jobs, a few at a time, each as its owner, until it is asked to stop.
///
/// When it is, it claims no more and waits for what runs; what is cancelled meanwhile is given back.
public final class JobWorkers: Service {
    /// Does a job's work; it runs as the job's owner, and may run again after it failed or its process was gone.
    public typealias Handler = @Sendable (JobRun) async throws -> Void

    /// Options for running jobs.
    public struct Options: Sendable {
        /// The number of jobs that run at once.
        public var concurrency = 4
        /// The time for which a worker keeps a job without a sign of life; one that gives signs keeps it.
        public var lease: Duration = .seconds(30)
        /// The interval between looks at the table; jobs that this process enqueues are begun at once.
        public var pollInterval: Duration = .seconds(1)
        /// The wait of a failed job.
        public var backOff = BackOff()

        /// Four at once, leases of 30 seconds, a look each second.
        public init() {}
    }

    let queue: JobQueue
    let store: any JobStore
    let options: Options
    let handlers: [String: Handler]
    let admits: @Sendable (JobOwner) async throws -> Void
    let logger: Logger
    private let state = Mutex(State())

    private struct State {
        var running = 0
        var isStopping = false
    }

    /// Workers for a queue.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - writer: Its database.
    ///   - options: How jobs are run.
    ///   - handlers: What runs which kind of job.
    ///   - logger: Where to tell of jobs that fail.
    ///   - admits: Throws where an owner is no longer to be worked for: a job can wait for days, and its owner may have
    ///     lost what they could do then. The job is put aside. It is asked as the owner; that work counts as running by then.
    public convenience init(
        _ queue: JobQueue,
        of writer: any DatabaseWriter,
        options: Options = Options(),
        handlers: [String: Handler],
        logger: Logger,
        admits: @escaping @Sendable (JobOwner) async throws -> Void = { _ in }
    ) {
        self.init(
            queue,
            in: SQLiteJobStore(writer),
            options: options,
            handlers: handlers,
            logger: logger,
            admits: admits
        )
    }

    /// Workers for a queue in any database.
    package init(
        _ queue: JobQueue,
        in store: any JobStore,
        options: Options,
        handlers: [String: Handler],
        logger: Logger,
        admits: @escaping @Sendable (JobOwner) async throws -> Void
    ) {
        self.queue = queue
        self.store = store
        self.options = options
        self.handlers = handlers
        self.logger = logger
        self.admits = admits
    }

    /// Runs jobs until a graceful shutdown or cancellation.
    public func run() async throws {
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                // Nothing of the code that started the workers may reach a job.
                await withIdentity(nil) { await self.work() }
            } onCancel: {
                self.stop()
            }
        } onGracefulShutdown: {
            self.stop()
        }
    }

    private func work() async {
        await withDiscardingTaskGroup { group in
            var rings = queue.bell.listen().makeAsyncIterator()
            let poller = Task { [options, bell = queue.bell] in
                while !Task.isCancelled {
                    bell.ring()
                    try? await Task.sleep(for: options.pollInterval)
                }
            }
            defer { poller.cancel() }
            repeat {
                while hasRoom, let run = await claim() {
                    state.withLock { $0.running += 1 }
                    group.addTask {
                        await self.perform(run)
                        self.state.withLock { $0.running -= 1 }
                        self.queue.bell.ring()
                    }
                }
                if state.withLock({ $0.isStopping }) { break }
            } while await rings.next() != nil
        }
    }

    private var hasRoom: Bool { state.withLock { !$0.isStopping && $0.running < options.concurrency } }

    private func claim() async -> JobRun? {
        while true {
            do {
                switch try await store.claim(queue, leaseFor: options.lease) {
                case .run(let run): return run
                case .nothingDue: return nil
                case .putAside(let id, let reason):
                    logger.error("A job was put aside", metadata: ["job": "\(id)", "reason": "\(reason)"])
                }
            } catch {
                logger.error("No job could be claimed", metadata: ["reason": "\(error)"])
                return nil
            }
        }
    }

    private func stop() {
        state.withLock { $0.isStopping = true }
        queue.bell.ring()
    }
}
