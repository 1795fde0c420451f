import DatabaseServers
import MultiIdentity
import PostgreSQLIdentity
import Testing

// Serialized, since the pooler has one mode at a time.
@Suite("Behind PgBouncer", .serialized) struct PoolerModeTests {
    @Test(
        "a transaction is its own in session and transaction mode, and refused in statement mode",
        arguments: DatabaseServers.PoolMode.allCases
    )
    func isItsOwn(_ mode: DatabaseServers.PoolMode) async throws {
        let servers = try await Servers.ofOneSession
        try servers.pool(mode)
        let database = try PostgreSQLDatabase(servers.url(), connections: 1)
        let (ada, bob) = (try someUser(), try someUser())
        let transaction = {
            try await database.withTransaction { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ('mine')")
                return try await transaction.query("SELECT FROM notes").count
            }
        }
        for identity in [ada, bob] {
            if mode == .statement {
                await #expect(throws: PostgreSQLError.self) {
                    try await withIdentity(identity) { try await transaction() }
                }
            } else {
                let seen = try await withIdentity(identity) { try await transaction() }
                #expect(seen == 1)
            }
        }
        // A transaction of one statement works in all of them: it is one round trip.
        for identity in [ada, bob] {
            _ = try await withIdentity(identity) {
                try await database.query("INSERT INTO notes (title) VALUES ('more')")
            }
            let owners = try await withIdentity(identity) {
                try await database.query("SELECT owner FROM notes").rows.map { $0["owner"] }
            }
            #expect(Set(owners) == [identity.caselessName])
        }
    }

    @Test("with a session that was somebody's before is refused, and closed by the pooler")
    func noticesAStrangersSetting() async throws {
        let servers = try await Servers.ofOneSession
        try servers.pool(.transaction)
        let database = try PostgreSQLDatabase(servers.url(), connections: 1)
        let (ada, bob) = (try someUser(), try someUser())
        _ = try await withIdentity(ada) { try await database.query("SELECT 1") }
        let stranger = try await PostgreSQLConnection.open(servers.url())
        defer { stranger.close() }
        try await stranger.query("SET app.identity = '\(bob.caselessName)'")
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(ada) {
                try await database.withTransaction { transaction in try await transaction.query("SELECT 1") }
            }
        }
        #expect(refusal?.code == .sessionHasIdentity)
        // The pooler has closed the session, since it was left inside a transaction.
        let seen = try await withIdentity(ada) { try await database.query("SELECT 1").count }
        #expect(seen == 1)
    }
}
