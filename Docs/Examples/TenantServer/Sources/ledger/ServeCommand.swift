import ArgumentParser
import Configuration
import LedgerService
import Logging
import LoggingIdentity

/// Serves until asked to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the ledger until SIGTERM or SIGINT."
    )

    @Flag(help: "Hand blocking work over through plain Dispatch, so that a test of answers finds wrong ones.")
    var unsafePlainDispatch = false

    func run() async throws {
        let settings = try LedgerConfiguration(ConfigReader(provider: EnvironmentVariablesProvider()))
        LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .identity)
        var logger = Logger(label: "ledger")
        logger.logLevel = settings.logLevel
        if unsafePlainDispatch { logger.warning("Identities are not carried: for tests alone") }
        try await LedgerServer(settings, handover: unsafePlainDispatch ? .unsafePlain : .carried, logger: logger).run()
    }
}
