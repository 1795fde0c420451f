import Configuration
import JobQueue
import MultiIdentity
import MultiIdentityCarriers
import SignedIdentity

/// The address of the ledger, which another process keeps, and the keys that both share.
public struct LedgerSettings: Sendable {
    let host: String
    let port: Int
    let keys: KeyRing

    /// Signs the identity of a call for the ledger.
    func signing() throws -> IdentitySigning { try .hmac(issuer: "web", audience: "ledger", keys: keys) }

    init?(reader: ConfigReader) throws {
        guard let port = reader.string(forKey: "port") else {
            guard reader.string(forKey: "host") == nil, reader.string(forKey: "keys", isSecret: true) == nil else {
                throw SettingsError("TENANT_LEDGER_HOST or _KEYS is set, and TENANT_LEDGER_PORT is not: set it.")
            }
            return nil
        }
        guard let number = Int(port), (1...65_535).contains(number) else {
            throw SettingsError("TENANT_LEDGER_PORT is \"\(port)\", and has to be a number from 1 to 65535.")
        }
        host = reader.string(forKey: "host", default: "127.0.0.1")
        self.port = number
        keys = try KeyRing(reader, variable: "TENANT_LEDGER_KEYS")
    }
}

/// The database of jobs, and the keys that seal them.
public struct JobSettings: Sendable {
    let database: DatabaseLocation
    let keys: KeyRing

    init?(reader: ConfigReader) throws {
        // A URL can have a password in it.
        let workers = reader.string(forKey: "workers.database", isSecret: true)
        guard let database = reader.string(forKey: "database", isSecret: true) else {
            guard reader.string(forKey: "keys", isSecret: true) == nil, workers == nil else {
                throw SettingsError(
                    "TENANT_JOBS_KEYS or _WORKERS_DATABASE is set, and TENANT_JOBS_DATABASE is not: set it."
                )
            }
            return nil
        }
        do {
            self.database = try DatabaseLocation(database, workers: workers)
        } catch {
            throw SettingsError("TENANT_JOBS_\(error.isOfWorkers ? "WORKERS_" : "")DATABASE: \(error)")
        }
        keys = try KeyRing(reader, variable: "TENANT_JOBS_KEYS")
    }
}

extension KeyRing {
    fileprivate init(_ reader: ConfigReader, variable: String) throws {
        guard let text = reader.string(forKey: "keys", isSecret: true) else {
            throw SettingsError("Set \(variable) to id:base64; `openssl rand -base64 32` makes a key.")
        }
        do {
            try self.init(parsing: text)
        } catch {
            throw SettingsError("\(variable): \(error)")
        }
    }
}
