import ArgumentParser
import Foundation
import GRDB
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

    @Option(help: "The database's file.")
    var database: String

    @Option(help: "How many jobs to enqueue.")
    var jobs: Int

    @Option(help: "What their keys begin with.")
    var prefix: String

    @Option(help: "The keys that seal jobs, as id:base64.")
    var keys: String

    @Flag(help: "Stop once no job is open.")
    var untilDone = false

    func run() async throws {
        let pool = try RunnerDatabase.open(database)
        let queue = JobQueue(keys: try KeyRing(parsing: keys), ownerless: .taken)
        var options = JobWorkers.Options()
        options.lease = .milliseconds(600)
        options.pollInterval = .milliseconds(50)
        options.backOff = BackOff(first: .milliseconds(20), limit: .milliseconds(100))
        var logger = Logger(label: "job-runner") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .error  // that jobs fail is meant
        let workers = JobWorkers(
            queue,
            of: pool,
            options: options,
            handlers: ["exact": ExactEffect(pool: pool).run, "repeated": RepeatedEffect(pool: pool).run],
            logger: logger
        )
        let enqueuing = Enqueuing(pool: pool, queue: queue, prefix: prefix, number: jobs, endsWhenDone: untilDone)
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
