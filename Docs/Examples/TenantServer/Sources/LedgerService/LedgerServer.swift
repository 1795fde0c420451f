package import GRPCCore
import GRPCIdentity
import GRPCNIOTransportHTTP2Posix
public import JobQueue
import LedgerProtocol
public import Logging
import MultiIdentity
import MultiIdentityCarriers
import PostgreSQLIdentity
import PostgreSQLJobs
import ServiceLifecycle
import SignedIdentity
import UnixSignals

/// The ledger: its calls over HTTP/2, and the workers that run the jobs its entries enqueue.
public struct LedgerServer: Sendable {
    /// The workers that run the jobs.
    package let workers: JobWorkers
    private let store: any LedgerStore
    private let configuration: LedgerConfiguration
    private let handover: any WorkHandover
    private let logger: Logger

    /// Makes ready: opens a file's database, and connects to PostgreSQL when the first call needs it.
    ///
    /// - Parameters:
    ///   - configuration: What the environment said.
    ///   - handover: How handlers hand blocking work over.
    ///   - ownerless: What becomes of the job of an entry that lost its owner.
    ///   - logger: Where to log; its metadata provider should be `identity`.
    /// - Throws: Whatever opening the database throws.
    public init(
        _ configuration: LedgerConfiguration,
        handover: any WorkHandover = CarriedHandover(),
        ownerless: JobQueue.Ownerless = .refused,
        logger: Logger
    ) throws {
        self.configuration = configuration
        self.handover = handover
        self.logger = logger
        let jobs = JobQueue(keys: configuration.jobKeys, ownerless: ownerless)
        var options = JobWorkers.Options()
        options.concurrency = configuration.jobConcurrency
        options.lease = configuration.jobLease
        options.pollInterval = min(.seconds(1), configuration.jobLease / 2)
        switch configuration.database {
        case .file(let path):
            let pool = try LedgerDatabase.open(path, synchronous: configuration.synchronous)
            let store = SQLiteLedger(pool: pool, jobs: jobs, handover: handover)
            self.store = store
            let handlers = Self.handlers(store, logger)
            workers = JobWorkers(jobs, of: pool, options: options, handlers: handlers, logger: logger)
        case .postgreSQL(let url, let workerURL):
            let store = PostgreSQLLedger(database: try PostgreSQLDatabase(url), jobs: jobs)
            self.store = store
            let handlers = Self.handlers(store, logger)
            workers = try JobWorkers(
                jobs,
                ofPostgreSQL: workerURL,
                options: options,
                handlers: handlers,
                logger: logger
            )
        }
    }

    /// The statements that make the ledger's tables on PostgreSQL, with their policies and the queue's.
    public static var postgreSQLSchema: String { JobQueue.postgreSQLSchema + "\n" + PostgreSQLLedger.schema }

    /// Serves until SIGTERM or SIGINT, and then until what runs has ended.
    public func run() async throws {
        let transport = HTTP2ServerTransport.Posix(
            address: .ipv4(host: configuration.host, port: configuration.port),
            transportSecurity: .plaintext
        )
        let server = GRPCServer(transport: transport, services: services, interceptors: interceptors)
        var group = ServiceGroupConfiguration(
            // Stopped in reverse: first the calls, which enqueue jobs, then the workers.
            services: [
                workers, GRPCServerService(server: server), AddressReport(transport: transport, logger: logger),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = configuration.stopLimit
        try await ServiceGroup(configuration: group).run()
        logger.info("Stopped")
    }

    /// The calls, for any transport.
    package var services: [any RegistrableRPCService] {
        [LedgerCalls(store: store, handover: handover, blocking: configuration.blocking, logger: logger)]
    }

    /// The interceptors that make each call its user's.
    package var interceptors: [any ServerInterceptor] {
        let verifier = SignatureVerifier.hmac(
            audience: configuration.name,
            issuers: [configuration.issuer: configuration.claimKeys]
        )
        return [
            IdentityServerInterceptor(verifier: verifier) { [logger] error, method in
                // Not what it sent: that is a stranger's text.
                let code = RefusalCode(error)
                logger.warning("A call was refused", metadata: ["method": "\(method)", "code": "\(code)"])
            }
        ]
    }

    private static func handlers(_ store: some LedgerStore, _ logger: Logger) -> [String: JobWorkers.Handler] {
        [
            ReceiptJob.kind: { run in
                let job = try ReceiptJob(run.job)
                try await store.makeReceipt(of: job.entry, in: run)
                logger.info("A receipt was made", metadata: ["entry": "\(job.entry)"])
            }
        ]
    }
}
