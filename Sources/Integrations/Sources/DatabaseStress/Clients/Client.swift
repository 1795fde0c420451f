import MultiIdentity
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLIdentity
import Synchronization

/// A client process: runs queries of many tenants, checks each row, and reports on standard output.
///
/// One line each: `did N`: queries were answered; `acknowledged TENANT TITLE`: a row is committed; `wrong …`: a row of another
/// tenant; `nameless …`: a row without an identity; `odd …`: an unexplained error; `count NAME`: an explained failure.
struct Client {
    private let url: String
    private let seed: UInt64
    private let load: Load

    init(_ options: Options) throws {
        url = try options.text("url")
        seed = try options.seed()
        var settings = PostgreSQLSettings()
        settings.statementLimit = .seconds(20)
        settings.cancellationLimit = .seconds(1)
        load = Load(
            database: try PostgreSQLDatabase(url, connections: Clients.connections, settings: settings),
            url: url,
            tenants: try Tenants().all,
            report: Report(limit: try options.number("queries")),
            sabotage: try options.sabotage()
        )
    }

    func run() async throws {
        // More tasks than connections, so that some wait.
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<Clients.connections * 2 {
                group.addTask { await load.run(SeededGenerator(seed: seed &+ UInt64(task) &* 7_919)) }
            }
        }
        load.report.end()
        load.database.shutDown()
    }
}

/// The number of answered queries of a client process, reported from time to time.
final class Report: Sendable {
    private struct State {
        var answered = 0
        var reported = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    var isDone: Bool { state.withLock { $0.answered >= limit } }

    func answered(_ queries: Int) {
        let reported = state.withLock { state -> Int? in
            state.answered += queries
            guard state.answered - state.reported >= 50 else { return nil }
            defer { state.reported = state.answered }
            return state.answered - state.reported
        }
        if let reported { say("did \(reported)") }
    }

    func end() { say("did \(state.withLock { $0.answered - $0.reported })") }
}

/// The tenants, and the rows that each has at the start.
struct Tenants: Sendable {
    static let rowsAtFirst = 5

    let all: [Identity]

    init() throws { all = try (0..<1_000).map { try Identity("tenant-\($0)@contoso.com") } }

    /// Inserts each tenant's first rows, as the superuser.
    func seed(_ url: String) async throws {
        let owner = try await PostgreSQLConnection.open(url)
        defer { owner.close() }
        try await owner.query(
            """
            INSERT INTO notes (owner, title) SELECT 'tenant-' || t || '@contoso.com', 'seed'
            FROM generate_series(0, $1::int - 1) t, generate_series(1, \(Self.rowsAtFirst))
            """,
            ["\(all.count)"]
        )
        try await owner.query("ANALYZE notes")
    }
}
