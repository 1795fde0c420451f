public import Configuration
public import JobQueue
public import Logging
public import SignedIdentity

/// The ledger's settings from its environment; each name below is written in capitals there, as `LEDGER_PORT`.
public struct LedgerConfiguration: Sendable {
    /// `LEDGER_HOST`, 127.0.0.1: the address to listen on.
    public var host: String
    /// `LEDGER_PORT`, 50051; 0 takes a free one.
    public var port: Int
    /// `LEDGER_DATABASE`: the file of the database, made where it is not there, or `postgresql://app@host/database`; then
    /// `LEDGER_WORKERS_DATABASE` is the same one as the role `job_worker`, and its tables are there (`ledger schema`).
    public var database: DatabaseLocation
    /// `LEDGER_NAME`, ledger: the audience that claims have to be signed for.
    public var name: String
    /// `LEDGER_ISSUER`, web: the service that may speak for users.
    public var issuer: String
    /// `LEDGER_CLAIM_KEYS`: what that service signs claims with, as `id:base64,id:base64`.
    public var claimKeys: KeyRing
    /// `LEDGER_JOB_KEYS`: what jobs are sealed with, in the same form; no other service needs them.
    public var jobKeys: KeyRing
    /// `LEDGER_JOB_LEASE_MILLISECONDS`, 30,000: how long a job stays a worker's that gives no sign of life.
    public var jobLease: Duration
    /// `LEDGER_JOB_CONCURRENCY`, 4: how many jobs run at once.
    public var jobConcurrency: Int
    /// `LEDGER_BLOCKING_MILLISECONDS`, 0: how long the blocking library takes that an append calls.
    public var blocking: Duration
    /// `LEDGER_SYNCHRONOUS`, full: `full` survives a power cut; `normal` a killed process, at a fraction of the price.
    public var synchronous: Synchronous
    /// `LEDGER_STOP_SECONDS`, 20: how long calls and jobs may take to end once the program is asked to stop.
    public var stopLimit: Duration
    /// `LEDGER_LOG_LEVEL`, info.
    public var logLevel: Logger.Level

    /// The moment at which a commit has reached the disk.
    public enum Synchronous: String, Sendable {
        /// Before it returns.
        case full
        /// At the next checkpoint.
        case normal
    }

    /// Reads the configuration.
    ///
    /// - Parameter reader: The environment, as a rule.
    /// - Throws: What is missing, or which value is wrong.
    public init(_ reader: ConfigReader) throws {
        host = try Self.value(reader, "ledger.host", default: "127.0.0.1") { $0 }
        port = try Self.number(reader, "ledger.port", default: 50_051, 0...65_535)
        database = try Self.database(reader)
        name = try Self.value(reader, "ledger.name", default: "ledger") { $0 }
        issuer = try Self.value(reader, "ledger.issuer", default: "web") { $0 }
        claimKeys = try Self.keys(reader, "ledger.claim.keys")
        jobKeys = try Self.keys(reader, "ledger.job.keys")
        jobLease = .milliseconds(
            try Self.number(reader, "ledger.job.lease.milliseconds", default: 30_000, 100...86_400_000)
        )
        jobConcurrency = try Self.number(reader, "ledger.job.concurrency", default: 4, 1...256)
        blocking = .milliseconds(try Self.number(reader, "ledger.blocking.milliseconds", default: 0, 0...60_000))
        stopLimit = .seconds(try Self.number(reader, "ledger.stop.seconds", default: 20, 1...3_600))
        synchronous = try Self.value(reader, "ledger.synchronous", default: "full") { Synchronous(rawValue: $0) }
        logLevel = try Self.value(reader, "ledger.log.level", default: "info") { Logger.Level(rawValue: $0) }
    }

    private static func number(
        _ reader: ConfigReader,
        _ key: String,
        default number: Int,
        _ range: ClosedRange<Int>
    ) throws -> Int {
        try value(reader, key, default: "\(number)") { text in Int(text).flatMap { range ~= $0 ? $0 : nil } }
    }

    private static func database(_ reader: ConfigReader) throws -> DatabaseLocation {
        let (key, workers) = ("ledger.database", "ledger.workers.database")
        do {
            // A URL can have a password in it.
            return try DatabaseLocation(
                try text(reader, key, isSecret: true),
                workers: reader.string(forKey: ConfigKey(workers), isSecret: true)
            )
        } catch let error as DatabaseLocationError {
            throw ConfigurationError(error.isOfWorkers ? workers : key, error.description)
        }
    }

    private static func keys(_ reader: ConfigReader, _ key: String) throws -> KeyRing {
        let text = try text(reader, key, isSecret: true)
        do {
            return try KeyRing(parsing: text)
        } catch {
            throw ConfigurationError(key, "\(error)")
        }
    }

    private static func value<Value>(
        _ reader: ConfigReader,
        _ key: String,
        default text: String? = nil,
        _ read: (String) -> Value?
    ) throws -> Value {
        let text = try self.text(reader, key, default: text)
        guard let value = read(text) else {
            throw ConfigurationError(key, "\(text.prefix(100).debugDescription) is no value for it.")
        }
        return value
    }

    private static func text(
        _ reader: ConfigReader,
        _ key: String,
        default text: String? = nil,
        isSecret: Bool = false
    ) throws -> String {
        guard let text = reader.string(forKey: ConfigKey(key), isSecret: isSecret) ?? text else {
            throw ConfigurationError(key, "it is not set, and has no default.")
        }
        return text
    }

    /// A value that is missing or cannot be used.
    public struct ConfigurationError: Error, CustomStringConvertible {
        /// A sentence that names the variable, and says what is wrong.
        public let description: String

        init(_ key: String, _ problem: String) {
            description = "\(key.uppercased().split(separator: ".").joined(separator: "_")): \(problem)"
        }
    }
}
