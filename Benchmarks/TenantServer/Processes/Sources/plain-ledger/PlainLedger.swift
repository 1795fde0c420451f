import Configuration
import JobQueue
import LedgerService
import Logging

/// The ledger with plain Dispatch and a thread-local, so that a test of its answers is seen to find wrong ones.
@main enum PlainLedger {
    static func main() async throws {
        let settings = try LedgerConfiguration(ConfigReader(provider: EnvironmentVariablesProvider()))
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        // An entry that lost its owner enqueues its receipt all the same: refused, it would be no wrong answer.
        let server = try LedgerServer(
            settings,
            handover: PlainHandover(),
            ownerless: .taken,
            logger: Logger(label: "ledger")
        )
        try await server.run()
    }
}
