import ArgumentParser
import DatabaseOptions
import Hummingbird
import Logging
import LoggingIdentity
import MultiIdentity
import ServiceLifecycle
import TenantServer
import UnixSignals

/// Serves until it is asked to stop.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve, until SIGTERM or SIGINT; then finish what was begun, and stop."
    )

    @Flag(help: "Keep the user in a thread-local, with plain queues: wrong on purpose, for the load test to find out.")
    var unsafePlainDispatch = false

    @Flag(help: "Do without the package: the user is passed as an argument; for comparing what the package costs.")
    var withoutIdentity = false

    @Flag(help: "Remember where identities were bound and handed over, so that /explain can tell. It costs.")
    var provenance = false

    @OptionGroup var databases: DatabaseOptions

    func validate() throws {
        if unsafePlainDispatch, withoutIdentity {
            throw ValidationError(
                "--unsafe-plain-dispatch and --without-identity are two different servers: choose one."
            )
        }
    }

    func run() async throws {
        let keeping: IdentityKeeping =
            if unsafePlainDispatch { .unsafePlainDispatch } else if withoutIdentity { .withoutIdentity } else {
                .carried
            }
        LoggingSystem.bootstrap(
            StreamLogHandler.standardOutput(label:metadataProvider:),
            metadataProvider: keeping == .carried ? .identity : nil
        )
        IdentityProvenance.isRecorded = provenance
        let settings = try await ServerSettings(reader: databases.reader(over: "tenant.jobs"))
        let logger = Logger(label: "tenant")
        let server = try TenantServer.application(settings, keeping: keeping, logger: logger)
        if keeping == .unsafePlainDispatch { logger.warning("identities are not carried: for tests alone") }
        var group = ServiceGroupConfiguration(
            services: [server],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // A client that stops in the middle of what it sends must not keep the process for ever.
        group.maximumGracefulShutdownDuration = settings.stopLimit
        try await ServiceGroup(configuration: group).run()
    }
}
