import DatabaseServers
import MultiIdentity
import PostgreSQLIdentity
import Testing

@Suite("On the wire, a transaction of somebody") struct RoundTripTests {
    @Test("takes not one round trip more than one by hand", arguments: DatabaseServers.Server.allCases)
    func takesNoRoundTrip(_ server: DatabaseServers.Server) async throws {
        let servers = try await Servers.shared
        let relay = try Relay(to: servers.socket(of: server))
        defer { relay.stop() }
        let url = servers.url(through: server, in: relay.folder)
        let ada = try somebody()

        let connection = try await PostgreSQLConnection.open(url)
        defer { connection.close() }
        let byHand = try await relay.counting {
            try await connection.pipeline([
                PostgreSQLStatement("BEGIN"),
                PostgreSQLStatement("SELECT set_config('app.identity', $1, true)", [ada.caselessName]),
                PostgreSQLStatement("INSERT INTO notes (title) VALUES ($1)", ["one"]),
            ])
            try await connection.query("SELECT title FROM notes")
            try await connection.query("COMMIT")
        }
        #expect(byHand == 3)

        let database = try PostgreSQLDatabase(url, connections: 1)
        defer { database.shutDown() }
        _ = try await withIdentity(ada) { try await database.query("SELECT 1") }  // which opens the connection
        let leased = try await relay.counting {
            _ = try await withIdentity(ada) {
                try await database.withTransaction { transaction in
                    try await transaction.query("INSERT INTO notes (title) VALUES ($1)", ["one"])
                    try await transaction.query("SELECT title FROM notes")
                }
            }
        }
        #expect(leased == byHand)
        let alone = try await relay.counting {
            _ = try await withIdentity(ada) { try await database.query("SELECT title FROM notes") }
        }
        #expect(alone == 1)
        let empty = try await relay.counting {
            try await withIdentity(ada) { try await database.withTransaction { _ in } }
        }
        #expect(empty == 0)
        let piped = try await relay.counting {
            _ = try await withIdentity(ada) {
                try await database.withTransaction { transaction in
                    try await transaction.pipeline([PostgreSQLStatement("SELECT 1"), PostgreSQLStatement("SELECT 2")])
                }
            }
        }
        #expect(piped == 2)
    }

    @Test("takes as few where the opening asks what the role can do, once")
    func asksOnce() async throws {
        let servers = try await Servers.shared
        let relay = try Relay(to: servers.socket(of: .database))
        defer { relay.stop() }
        let database = try PostgreSQLDatabase(servers.url(through: .database, in: relay.folder), connections: 1)
        defer { database.shutDown() }
        let ada = try somebody()
        for _ in 0..<10 { _ = try await withIdentity(ada) { try await database.query("SELECT 1") } }
        // The start, the question, and ten.
        #expect(relay.roundTrips == 12)
        #expect(relay.connections == 1)
    }
}

extension Relay {
    /// The number of round trips that something takes.
    func counting(_ work: () async throws -> Void) async throws -> Int {
        let before = roundTrips
        try await work()
        return roundTrips - before
    }
}
