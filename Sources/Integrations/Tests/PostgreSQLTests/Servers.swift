import DatabaseServers
import MultiIdentity
import MultiIdentityLease
import PostgreSQLIdentity
import Synchronization

/// The servers that most tests share; they end with the process.
enum Servers {
    private static let started = Task.detached { try DatabaseServers() }
    private static let startedSmall = Task.detached { try DatabaseServers(poolSize: 1) }

    static var shared: DatabaseServers { get async throws { try await started.value } }
    /// With a pooler that has one connection to the server, and a mode that a test sets.
    static var ofOneSession: DatabaseServers { get async throws { try await startedSmall.value } }

    /// A database with one connection, which ends with the object.
    static func database(
        through server: DatabaseServers.Server = .database,
        in socket: String? = nil,
        settings: PostgreSQLSettings = PostgreSQLSettings()
    ) async throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase(await shared.url(through: server, in: socket), connections: 1, settings: settings)
    }
}

extension PostgreSQLDatabase {
    /// Runs `work` in a transaction of an identity.
    @discardableResult
    nonisolated(nonsending) func withTransaction<Value>(
        as identity: Identity,
        _ work: nonisolated(nonsending) (PostgreSQLTransaction) async throws -> Value
    ) async throws -> Value {
        try await withIdentity(identity) { try await withTransaction(work) }
    }

    /// The number of notes that an identity sees.
    func noteCount(of identity: Identity) async throws -> Int {
        try await withIdentity(identity) { try await query("SELECT FROM notes").count }
    }
}

/// Returns an identity that no other test has.
func someUser(_ name: String = #function, line: Int = #line) throws -> Identity {
    try Identity("\(name.prefix { $0 != "(" })-\(line)-\(UInt32.random(in: 0 ... .max))@contoso.com")
}

/// Records which connections were closed instead of returned.
final class Closings: Sendable {
    private let noted = Mutex<[LeaseClosing]>([])

    var all: [LeaseClosing] { noted.withLock { $0 } }

    var settings: PostgreSQLSettings {
        var settings = PostgreSQLSettings()
        settings.onClosing = { closing in self.noted.withLock { $0.append(closing) } }
        return settings
    }
}
