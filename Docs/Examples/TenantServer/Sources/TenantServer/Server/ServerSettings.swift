public import Configuration
import Foundation
public import MultiIdentity
public import MultiIdentityProtection

/// The server's settings from its environment.
///
/// | variable | is | without it |
/// | --- | --- | --- |
/// | `TENANT_JWT_SECRET` | the key of the tokens, 32 bytes or more | the server does not start |
/// | `TENANT_JWT_ISSUER`, `TENANT_JWT_AUDIENCE` | of good tokens | `https://login.example`, `tenant-server` |
/// | `TENANT_HTTP_HOST`, `TENANT_HTTP_PORT` | where it listens | `127.0.0.1`, `8080` |
/// | `TENANT_STOP_SECONDS` | how long requests may take to end once it is asked to stop | `20` |
/// | `TENANT_DATA_FOLDER` | where files and records go | `tenant-data` |
/// | `TENANT_LEDGER_HOST`, `TENANT_LEDGER_PORT` | where the ledger listens | `127.0.0.1`; there is no ledger but in memory |
/// | `TENANT_LEDGER_KEYS` | what claims for the ledger are signed with, `id:base64,…` | needed with the port |
/// | `TENANT_JOBS_DATABASE` | the file of the jobs' database, or `postgresql://app@host/database` | jobs are gone with the process |
/// | `TENANT_JOBS_WORKERS_DATABASE` | the same as the role `job_worker` | needed with PostgreSQL |
/// | `TENANT_METRICS_USERS` | users with a count of requests each, separated by commas | no metric by user |
/// | `TENANT_JOBS_KEYS` | what jobs are sealed with, `id:base64,…` | needed with the database |
/// | `TENANT_ENROLLMENT_URL`, `TENANT_ENROLLMENT_TOKEN` | the service that enrolls tenants | nobody is managed |
/// | `TENANT_ENROLLMENT_EVENTS_ISSUER`, `…_AUDIENCE`, `…_KEYS` | the identity provider of the security events that are believed, this server as it names it, a file with its keys or their URL | no event is |
/// | `TENANT_SCIM_TOKEN` | the token, 32 bytes or more, of the directory that sends users to `/scim/v2`; it takes enrolment | everybody with a token may work |
/// | `TENANT_REPORT_SOCKET` | where `multi-identity diagnose` asks | nobody is answered |
/// | `TENANT_SCRUB` | texts that no report is to have, separated by commas | reports have all but secrets |
/// | `TENANT_MASTER_KEY` | what tenants' keys are wrapped with, 32 bytes as base64 | files lie as they are, and nobody is wiped |
public struct ServerSettings: Sendable {
    /// The address that it listens at.
    public var host: String
    /// The port; 0 lets the system choose.
    public var port: Int
    /// The folder for files and records.
    public var dataFolder: String
    /// The authority of the tokens that are good here.
    public let authority: TokenAuthority
    /// The time that requests may take to end once it is asked to stop; what then still runs is cancelled.
    public var stopLimit: Duration = .seconds(20)
    /// Users with a count of requests each; with none, requests are not counted by user.
    public var countedUsers: [Identity] = []
    /// The path of the socket that answers with reports, if any.
    public var reportSocket: String?
    /// The texts that no report is to have.
    public var scrubbedTexts: [String] = []
    /// The ledger, where another process keeps it.
    public var ledger: LedgerSettings?
    /// The jobs' database, where there is one.
    public var jobs: JobSettings?
    /// The service that enrolls tenants, if any; it takes a master key.
    public var enrollment: EnrollmentSettings?
    /// The directory that says who exists, if any; it takes a service that enrolls.
    public var directory: DirectorySettings?
    /// The key that wraps tenants' keys; with none, files have no owners, and lie as they are.
    public var masterKey: MasterKey?

    /// - Parameters:
    ///   - authority: The authority of the tokens that are good here.
    ///   - dataFolder: Where files and records go.
    ///   - host: Where it listens.
    ///   - port: The port; 0 lets the system choose.
    public init(authority: TokenAuthority, dataFolder: String, host: String = "127.0.0.1", port: Int = 8080) {
        self.authority = authority
        self.dataFolder = dataFolder
        self.host = host
        self.port = port
    }

    /// Reads them, as from the environment: `ConfigReader(provider: EnvironmentVariablesProvider())`.
    ///
    /// - Parameter reader: Where they are read from, below `tenant`.
    /// - Throws: ``SettingsError``, or what the reader throws for a value that is none.
    public init(reader: ConfigReader) async throws {
        let tenant = reader.scoped(to: "tenant")
        guard let secret = tenant.string(forKey: "jwt.secret", isSecret: true) else {
            throw SettingsError("Set TENANT_JWT_SECRET to the key of the tokens, 32 bytes or more; it has no default.")
        }
        let authority = try await TokenAuthority(
            secret: secret,
            issuer: tenant.string(forKey: "jwt.issuer", default: "https://login.example"),
            audience: tenant.string(forKey: "jwt.audience", default: "tenant-server")
        )
        let port = tenant.string(forKey: "http.port", default: "8080")
        guard let number = Int(port), (0...65_535).contains(number) else {
            throw SettingsError("TENANT_HTTP_PORT is \"\(port)\", and has to be a number from 0 to 65535.")
        }
        self.init(
            authority: authority,
            dataFolder: tenant.string(forKey: "data.folder", default: "tenant-data"),
            host: tenant.string(forKey: "http.host", default: "127.0.0.1"),
            port: number
        )
        let stopSeconds = tenant.string(forKey: "stop.seconds", default: "20")
        guard let stopLimit = Int(stopSeconds), stopLimit > 0 else {
            throw SettingsError("TENANT_STOP_SECONDS is \"\(stopSeconds)\", and has to be a number above 0.")
        }
        self.stopLimit = .seconds(stopLimit)
        countedUsers = try tenant.string(forKey: "metrics.users", default: "").split(separator: ",").map { name in
            do { return try Identity(String(name)) } catch {
                throw SettingsError("TENANT_METRICS_USERS: \(error)")
            }
        }
        reportSocket = tenant.string(forKey: "report.socket")
        scrubbedTexts = tenant.string(forKey: "scrub", isSecret: true, default: "").split(separator: ",").map(
            String.init
        )
        ledger = try LedgerSettings(reader: tenant.scoped(to: "ledger"))
        jobs = try JobSettings(reader: tenant.scoped(to: "jobs"))
        enrollment = try await EnrollmentSettings(reader: tenant.scoped(to: "enrollment"))
        directory = try DirectorySettings(reader: tenant.scoped(to: "scim"))
        masterKey = try tenant.string(forKey: "master.key", isSecret: true).map { text in
            guard let bytes = Data(base64Encoded: text), bytes.count == MasterKey.length else {
                throw SettingsError(
                    "TENANT_MASTER_KEY is not 32 bytes as base64; `openssl rand -base64 32` makes one."
                )
            }
            return try MasterKey(bytes)
        }
    }
}
