import DatabaseServers
import MultiIdentity
import PostgreSQLIdentity

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

extension DatabaseServers {
    /// Runs `work` with a connection of the superuser.
    func asOwner<Value>(_ work: (PostgreSQLConnection) async throws -> Value) async throws -> Value {
        let connection = try await PostgreSQLConnection.open(url("owner", through: .database))
        defer { connection.close() }
        return try await work(connection)
    }
}

/// An identity that no other test has.
func somebody(_ name: String = #function, line: Int = #line) throws -> Identity {
    try Identity("\(name.prefix { $0 != "(" })-\(line)-\(UInt32.random(in: 0 ... .max))@contoso.com")
}
