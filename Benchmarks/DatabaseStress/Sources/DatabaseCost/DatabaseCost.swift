import ArgumentParser
import MultiIdentity
import PostgreSQLIdentity
import Synchronization

@main
struct DatabaseCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database-cost",
        abstract: "Runs transactions of one identity after the other, for Benchmarks/DatabaseStress/cost to count."
    )

    enum Way: String, CaseIterable, ExpressibleByArgument { case leased, hand }

    @Argument(help: "By a lease, or by hand over the same client.")
    var way: Way

    @Argument(help: "The database, as libpq takes it.")
    var url: String

    @Argument(help: "The number of transactions.")
    var transactions: Int

    @Argument(help: "The number of statements in each.")
    var statements: Int

    func validate() throws {
        guard transactions >= 0, statements > 0 else { throw ValidationError("There is nothing to run.") }
    }

    // As an asynchronous `main` runs: what a transaction takes to come back to its thread counts too.
    @MainActor func run() async throws {
        let identities = try (0..<8).map { try Identity("tenant-\($0)@contoso.com") }
        switch way {
        case .leased:
            let database = try PostgreSQLDatabase(url, connections: 4)
            for number in 0..<transactions {
                try await withIdentity(identities[number % 8]) { try await Self.leased(database, statements) }
            }
        case .hand:
            let pool = HandPool(url: url)
            for number in 0..<transactions {
                try await withIdentity(identities[number % 8]) { try await Self.byHand(pool, statements) }
            }
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
