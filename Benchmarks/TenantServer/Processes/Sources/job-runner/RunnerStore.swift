import JobQueue
import Logging
import MultiIdentity

/// The database of a test: the jobs, and what they did.
protocol RunnerStore: Sendable {
    func enqueue(_ job: NewJob, on queue: JobQueue) async throws -> String
    /// Notes that a job took effect, and as whom that was seen here.
    func note(_ job: Job) async throws
    /// The same, and ends the job, or neither: it takes effect exactly once.
    func noteAndFinish(_ run: JobRun) async throws
    func openJobs() async throws -> Int
    func workers(
        _ queue: JobQueue,
        _ options: JobWorkers.Options,
        _ handlers: [String: JobWorkers.Handler],
        _ logger: Logger
    ) throws -> JobWorkers
    /// The owner of a job that nothing is bound for.
    var ownerless: Identity? { get }
}
