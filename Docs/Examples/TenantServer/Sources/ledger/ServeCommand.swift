import ArgumentParser
import DatabaseOptions
import LedgerService
import Logging
import LoggingIdentity

/// Serves until asked to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the ledger until SIGTERM or SIGINT."
    )

    @OptionGroup var databases: DatabaseOptions

    func run() async throws {
        let settings = try LedgerConfiguration(databases.reader(over: "ledger"))
        LoggingSystem.bootstrap(StreamLogHandler.standardError, metadataProvider: .identity)
        var logger = Logger(label: "ledger")
        logger.logLevel = settings.logLevel
        try await LedgerServer(settings, logger: logger).run()
    }
}
