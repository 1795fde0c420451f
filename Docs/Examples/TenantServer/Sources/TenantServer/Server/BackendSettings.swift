import Configuration
import Foundation
import IssuerKeys
import JobQueue
import MultiIdentity
import MultiIdentityCarriers
import OpenIDConnect
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

/// The service that enrolls tenants, and the identity provider that says who is signed out or gone.
public struct EnrollmentSettings: Sendable {
    let url: URL
    let token: String
    /// The identity provider, if it sends events.
    let events: EventSettings?

    init?(reader: ConfigReader) async throws {
        let token = reader.string(forKey: "token", isSecret: true)
        guard let text = reader.string(forKey: "url") else {
            guard token == nil else {
                throw SettingsError("TENANT_ENROLLMENT_TOKEN is set, and TENANT_ENROLLMENT_URL is not: set it.")
            }
            return nil
        }
        guard let url = URL(string: text), url.scheme?.hasPrefix("http") == true, let token else {
            throw SettingsError("TENANT_ENROLLMENT_URL has to be a URL of HTTP, and TENANT_ENROLLMENT_TOKEN set.")
        }
        self.url = url
        self.token = token
        events = try await EventSettings(reader: reader.scoped(to: "events"))
    }
}

/// The identity provider of the events that are believed.
struct EventSettings: Sendable {
    let issuer: String
    let audience: String
    let keys: IssuerKeys

    init?(reader: ConfigReader) async throws {
        guard let issuer = reader.string(forKey: "issuer") else { return nil }
        guard let audience = reader.string(forKey: "audience"), let path = reader.string(forKey: "keys") else {
            throw SettingsError(
                "TENANT_ENROLLMENT_EVENTS_ISSUER is set: set …_AUDIENCE, and …_KEYS to a file with its JSON Web Key Set, or to its URL."
            )
        }
        do {
            keys = try await Self.keys(at: path)
        } catch {
            throw SettingsError("TENANT_ENROLLMENT_EVENTS_KEYS: the file is no JSON Web Key Set: \(error)")
        }
        self.issuer = issuer
        self.audience = audience
    }

    /// The keys of a file, or those that are fetched from a URL when they are needed.
    private static func keys(at place: String) async throws -> IssuerKeys {
        guard place.contains("://") else { return try await IssuerKeys(Data(contentsOf: URL(filePath: place))) }
        return try OpenIDProvider.keys(at: place)
    }
}

/// The directory that sends users by SCIM.
public struct DirectorySettings: Sendable {
    let token: String

    init?(reader: ConfigReader) throws {
        guard let token = reader.string(forKey: "token", isSecret: true) else { return nil }
        guard token.utf8.count >= 32 else {
            throw SettingsError(
                "TENANT_SCIM_TOKEN has \(token.utf8.count) bytes, and needs 32 or more; `openssl rand -hex 32` makes one."
            )
        }
        self.token = token
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
