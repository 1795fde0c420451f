import ArgumentParser
import Foundation
import JobQueue
import Logging
import MultiIdentity
import ServiceLifecycle
import SignedIdentity
import UnixSignals

/// Enqueues jobs as many users and runs jobs at the same time, and says on standard output which it has enqueued: a
/// process to be killed, and started again, by a test.
@main
struct JobRunner: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "job-runner")

    @Option(help: "The database: SQLite's file, or the URL of PostgreSQL's as tenants use it.")
    var database: String

    @Option(help: "The URL as the workers' role, for PostgreSQL.")
    var workersDatabase: String?

    @Option(help: "How many jobs to enqueue.")
    var jobs: Int

    @Option(help: "What their keys begin with.")
    var prefix: String

    @Option(help: "The keys that seal jobs, as id:base64.")
    var keys: String

    @Flag(help: "Stop once no job is open.")
    var untilDone = false

    func run() async throws {
        let store: any RunnerStore =
            if let workersDatabase {
                try PostgreSQLRunnerStore(database, workersURL: workersDatabase)
            } else {
                try SQLiteRunnerStore(database)
            }
        let queue = JobQueue(keys: try KeyRing(parsing: keys), ownerless: .taken)
        var options = JobWorkers.Options()
        options.lease = .milliseconds(600)
        options.pollInterval = .milliseconds(50)
        options.backOff = BackOff(first: .milliseconds(20), limit: .milliseconds(100))
        var logger = Logger(label: "job-runner") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error  // that jobs fail is meant
        let handlers: [String: JobWorkers.Handler] = [
            "exact": { run in try await store.noteAndFinish(run) },
            // Its effect is in a transaction of its own: it takes effect at least once.
            "repeated": { run in
                try await store.note(run.job)
                if run.job.attempt == 1 { throw FirstAttempt() }
            },
        ]
        let workers = try store.workers(queue, options, handlers, logger)
        let enqueuing = Enqueuing(store: store, queue: queue, prefix: prefix, number: jobs, endsWhenDone: untilDone)
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: workers),
                .init(service: enqueuing, successTerminationBehavior: untilDone ? .gracefullyShutdownGroup : .ignore),
            ],
            gracefulShutdownSignals: [.sigterm],
            logger: Logger(label: "job-runner", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        group.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: group).run()
    }
}

/// The failure that each job of the kind `repeated` begins with.
private struct FirstAttempt: Error {}
