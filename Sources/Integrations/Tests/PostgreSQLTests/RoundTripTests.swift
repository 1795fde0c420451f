import DatabaseServers
import MultiIdentity
import PostgreSQLIdentity
import Testing

@Suite("On the wire, a transaction of somebody") struct RoundTripTests {
    @Test("takes not one round trip more than one by hand", arguments: DatabaseServers.Server.allCases)
    func takesNoRoundTrip(_ server: DatabaseServers.Server) async throws {
        let relay = try Relay(to: await Servers.shared.socket(of: server))
        defer { relay.stop() }
        let ada = try somebody()

        let database = try await Servers.database(through: server, in: relay.folder)
        _ = try await withIdentity(ada) { try await database.query("SELECT 1") }  // which opens the connection
        let leased = try await relay.counting {
            _ = try await withIdentity(ada) {
                try await database.withTransaction { transaction in
                    try await transaction.query("INSERT INTO notes (title) VALUES ($1)", ["one"])
                    try await transaction.query("SELECT title FROM notes")
                }
            }
        }
        // By hand: BEGIN and the identity with the first, the second, COMMIT.
        #expect(leased == 3)
        let alone = try await relay.counting {
            _ = try await withIdentity(ada) { try await database.query("SELECT title FROM notes") }
        }
        #expect(alone == 1)
        let empty = try await relay.counting {
            try await withIdentity(ada) { try await database.withTransaction { _ in } }
        }
        #expect(empty == 0)
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
