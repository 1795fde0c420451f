import MultiIdentity
import PostgreSQLIdentity
import Synchronization

/// Runs transactions of one identity, leased or by hand over the same client, for `Benchmarks/DatabaseStress/cost` to count.
@main
struct DatabaseCost {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[3]), let statements = Int(arguments[4]) else {
            fatalError("usage: database-cost leased|hand URL TRANSACTIONS STATEMENTS")
        }
        let identities = try (0..<8).map { try Identity("tenant-\($0)@contoso.com") }
        switch arguments[1] {
        case "leased":
            let database = try PostgreSQLDatabase(arguments[2], connections: 4)
            for number in 0..<count {
                try await withIdentity(identities[number % 8]) { try await leased(database, statements) }
            }
        case "hand":
            let pool = HandPool(url: arguments[2])
            for number in 0..<count {
                try await withIdentity(identities[number % 8]) { try await byHand(pool, statements) }
            }
        case let way: fatalError("There is no way \(way).")
        }
    }

    static func leased(_ database: PostgreSQLDatabase, _ statements: Int) async throws {
        let rows = try await database.withTransaction { transaction in
            for _ in 1..<statements { try await transaction.query(Self.question, ["1"]) }
            return try await transaction.query(Self.question, ["1"]).rows.count
        }
        guard rows == 1 else { fatalError("\(rows) rows") }
    }

    /// The code of one who has a client and no lease: the identity goes with the first statement, the connection is looked at
    /// before it is given back, and closed where it is in doubt.
    static func byHand(_ pool: HandPool, _ statements: Int) async throws {
        let connection = try await pool.take()
        let name = try Identity.required().caselessName
        var rows = 0
        do {
            var answers = try await connection.pipeline([
                PostgreSQLStatement("BEGIN"),
                PostgreSQLStatement("SELECT set_config('app.identity', $1, true)", [name]),
                PostgreSQLStatement(Self.question, ["1"]),
            ])
            for _ in 1..<statements { answers = [try await connection.query(Self.question, ["1"])] }
            rows = answers.last?.rows.count ?? 0
            try await connection.query("COMMIT")
        } catch {
            connection.close()
            throw error
        }
        pool.giveBack(connection)
        guard rows == 1 else { fatalError("\(rows) rows") }
    }

    static let question = "SELECT title FROM notes WHERE number >= $1 LIMIT 1"
}

/// Connections behind a lock.
final class HandPool: Sendable {
    private let url: String
    private let idle = Mutex<[PostgreSQLConnection]>([])

    init(url: String) { self.url = url }

    func take() async throws -> PostgreSQLConnection {
        if let connection = idle.withLock({ $0.popLast() }) { return connection }
        return try await PostgreSQLConnection.open(url)
    }

    func giveBack(_ connection: PostgreSQLConnection) {
        guard connection.isUsable, !Task.isCancelled else { return connection.close() }
        idle.withLock { $0.append(connection) }
    }
}
