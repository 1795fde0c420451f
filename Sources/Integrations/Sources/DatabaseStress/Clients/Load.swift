import MultiIdentity
import MultiIdentityLease
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLIdentity

/// The queries of a client process.
struct Load: Sendable {
    let database: PostgreSQLDatabase
    let url: String
    let tenants: [Identity]
    let report: Report
    let sabotage: Clients.Sabotage?

    /// Runs queries one after another until there are enough.
    func run(_ dice: SeededGenerator) async {
        var dice = dice
        var stranger: PostgreSQLConnection?
        defer { stranger?.close() }
        while !report.isDone {
            let tenant = tenants[dice.below(tenants.count)]
            do {
                switch dice.below(40) {
                case 0: try await asNobody()
                case 1: stranger = try await asStranger(stranger)
                // Few, since each costs the pooler a connection, and its process takes longer to start than fifty queries.
                case 2: try await broken(tenant, &dice)
                case 3...10: try await write(tenant, &dice)
                default:
                    if sabotage == .session || sabotage == .transaction {
                        stranger = try await readByHand(tenant, stranger)
                    } else {
                        try await read(tenant)
                    }
                }
            } catch {
                stranger?.close()
                stranger = nil
                await note(error)
            }
        }
    }

    private func read(_ tenant: Identity) async throws {
        let rows = try await withIdentity(tenant) {
            try await database.query("SELECT owner, title FROM notes ORDER BY number LIMIT 10")
        }.rows
        check(rows, of: tenant)
        report.answered(1)
    }

    /// The published way, which is wrong behind a pooler: the identity is set for the session, or outside a transaction.
    private func readByHand(_ tenant: Identity, _ open: PostgreSQLConnection?) async throws -> PostgreSQLConnection {
        let connection = if let open { open } else { try await PostgreSQLConnection.open(url) }
        let isLocal = "\(sabotage == .transaction)"
        try await connection.query("SELECT set_config('app.identity', $1, $2)", [tenant.caselessName, isLocal])
        check(try await connection.query("SELECT owner FROM notes ORDER BY number LIMIT 10").rows, of: tenant)
        report.answered(1)
        return connection
    }

    /// Reads, writes and reads again, in one transaction.
    private func write(_ tenant: Identity, _ dice: inout SeededGenerator) async throws {
        let title = "row \(dice.next())"
        try await withIdentity(tenant) {
            try await database.withTransaction { transaction in
                check(try await transaction.query("SELECT owner FROM notes ORDER BY number LIMIT 5").rows, of: tenant)
                try await transaction.query("INSERT INTO notes (title) VALUES ($1)", [title])
                let row = try await transaction.query("SELECT owner FROM notes ORDER BY number DESC LIMIT 1").rows
                check(row, of: tenant, atLeast: 1)
                if sabotage == .acknowledgement, title.utf8.last == UInt8(ascii: "7") {
                    say("acknowledged \(tenant.caselessName) \(title)")
                    throw CancellationError()
                }
            }
        }
        say("acknowledged \(tenant.caselessName) \(title)")
        report.answered(3)
    }

    /// Nobody sees nothing, and without a bound identity nothing is queried.
    private func asNobody() async throws {
        let rows = try await withIdentity(.nobody) { try await database.query("SELECT owner FROM notes LIMIT 5") }.rows
        if !rows.isEmpty { say("nameless \(rows.count) rows as nobody") }
        report.answered(1)
        do {
            _ = try await withIdentity(nil) { try await database.query("SELECT owner FROM notes LIMIT 5") }
            say("nameless a query that nobody was bound for was not refused")
        } catch let error as LeaseError where error.code == .noIdentity {}
    }

    /// A client of the same pooler that sets nothing: any row it sees was left on a session by another client.
    private func asStranger(_ stranger: PostgreSQLConnection?) async throws -> PostgreSQLConnection {
        let connection = if let stranger { stranger } else { try await PostgreSQLConnection.open(url) }
        let rows = try await connection.query("SELECT owner FROM notes LIMIT 5").rows
        if !rows.isEmpty { say("nameless \(rows.count) rows on a connection that set nothing") }
        report.answered(1)
        return connection
    }

    /// Queries that are cancelled, or run out of time, at a random point.
    private func broken(_ tenant: Identity, _ dice: inout SeededGenerator) async throws {
        let (title, delay, isTimed) = (
            "row \(dice.next())", Duration.microseconds(dice.below(4_000)), dice.below(2) == 0
        )
        let sleep = Double(dice.below(3)) / 1_000
        let work = Task {
            try await withIdentity(tenant) {
                try await database.withTransaction { transaction in
                    let limit = isTimed ? delay + .microseconds(200) : nil
                    let rows = try await transaction.query(
                        "SELECT owner FROM notes, pg_sleep($1) ORDER BY number LIMIT 5",
                        ["\(sleep)"],
                        within: limit
                    ).rows
                    check(rows, of: tenant)
                    try await transaction.query("INSERT INTO notes (title) VALUES ($1)", [title], within: limit)
                }
            }
        }
        if !isTimed {
            try await Task.sleep(for: delay)
            work.cancel()
        }
        try await work.value
        say("acknowledged \(tenant.caselessName) \(title)")
        report.answered(2)
    }

    private func check(_ rows: [PostgreSQLRow], of tenant: Identity, atLeast least: Int = Tenants.rowsAtFirst) {
        if let row = rows.first(where: { $0["owner"] != tenant.caselessName }) {
            say("wrong \(tenant) saw a row of \(row["owner"] ?? "nobody")")
        } else if rows.count < least {
            say("wrong \(tenant) saw \(rows.count) rows of its \(least)")
        }
    }

    /// Counts what a killed server, a cancellation or a limit explains, and reports the rest.
    private func note(_ error: any Error) async {
        switch error {
        case is CancellationError: say("count cancelled")
        case let error as PostgreSQLError:
            let isExplained =
                [.timedOut, .connectionLost, .commitUnknown, .cannotConnect, .unusable].contains(error.code)
                // 57: stopped by an administrator or a cancellation; 08 and 58: the pooler's answers when the server is gone.
                || ["57", "08", "58"].contains(error.sqlState?.prefix(2) ?? "")
            say("count \(error.code)\(error.sqlState.map { "-" + $0 } ?? "")")
            if !isExplained { say("odd \(error)") }
            // While nothing can be reached, pause between attempts.
            if error.code == .cannotConnect || error.sqlState == "08P01" {
                try? await Task.sleep(for: .milliseconds(20))
            }
        default: say("odd \(error)")
        }
    }
}
