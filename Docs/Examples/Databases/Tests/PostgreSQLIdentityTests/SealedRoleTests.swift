import DatabaseServers
import MultiIdentity
import PostgreSQLIdentity
import Testing

@Suite("A role on the server") struct SealedRoleTests {
    @Test("is refused where it goes round policies, or can do what a sealed one must not")
    func isAsked() async throws {
        let servers = try await Servers.shared
        for (role, demand) in [("owner", PostgreSQLSettings.Role.policed), ("app", .sealed)] {
            var settings = PostgreSQLSettings()
            settings.role = demand
            let database = try PostgreSQLDatabase(servers.url(role), connections: 1, settings: settings)
            defer { database.shutDown() }
            let refusal = await #expect(throws: PostgreSQLError.self) {
                try await withIdentity(try somebody()) { try await database.query("SELECT 1") }
            }
            #expect(refusal?.code == .refusedRole)
        }
    }

    @Test(
        "that is sealed keeps each transaction's identity, whatever gets into a statement",
        arguments: DatabaseServers.Server.allCases
    )
    func cannotBecomeAnother(_ server: DatabaseServers.Server) async throws {
        let servers = try await Servers.sealed
        var settings = PostgreSQLSettings()
        settings.role = .sealed
        settings.binding = try .function("identity.enter")
        let database = try PostgreSQLDatabase(servers.url(through: server), connections: 2, settings: settings)
        defer { database.shutDown() }
        let (ada, bob) = (try somebody(), try somebody())
        for identity in [ada, bob] {
            let titles = try await withIdentity(identity) {
                try await database.withTransaction { transaction in
                    try await transaction.query("INSERT INTO notes (title) VALUES ($1)", ["by \(identity)"])
                    return try await transaction.query("SELECT title FROM notes").rows.map { $0["title"] }
                }
            }
            #expect(titles == ["by \(identity)"])
        }
        // What an attacker makes of a statement that is put together from texts.
        let name = bob.caselessName
        for (sql, state) in [
            ("SELECT identity.enter('\(name)')", "42501"),
            (#"SELECT U&"\0073et_config"('app.identity', '\#(name)', true)"#, "42501"),
            (#"SELECT U&"\0070g_advisory\005flock"(1)"#, "42501"),
            ("SELECT 1 INTO TEMP kept", "42501"),
            ("WITH entered AS (SELECT identity.enter('\(name)')) SELECT title FROM notes, entered", "42501"),
        ] {
            let refusal = await #expect(throws: PostgreSQLError.self, "\(sql)") {
                try await withIdentity(ada) { try await database.query(sql) }
            }
            #expect(refusal?.sqlState == state, "\(sql)")
        }
    }

    @Test("that is sealed gives a session's setting no force")
    func ignoresTheSession() async throws {
        let servers = try await Servers.sealed
        var settings = PostgreSQLSettings()
        settings.binding = try .function("identity.enter")
        let database = try PostgreSQLDatabase(servers.url(through: .database), connections: 1, settings: settings)
        defer { database.shutDown() }
        let ada = try somebody()
        _ = try await withIdentity(ada) { try await database.query("INSERT INTO notes (title) VALUES ('mine')") }
        let stranger = try await PostgreSQLConnection.open(servers.url(through: .database))
        defer { stranger.close() }
        try await stranger.query("SET app.identity = '\(ada.caselessName)'")
        #expect(try await stranger.query("SELECT FROM notes").count == 0)
        // Without the seal the same shows it: that is the leak.
        let plain = try await PostgreSQLConnection.open(Servers.shared.url(through: .database))
        defer { plain.close() }
        let other = try PostgreSQLDatabase(await Servers.shared.url(), connections: 1)
        defer { other.shutDown() }
        _ = try await withIdentity(ada) { try await other.query("INSERT INTO notes (title) VALUES ('mine')") }
        try await plain.query("SET app.identity = '\(ada.caselessName)'")
        #expect(try await plain.query("SELECT FROM notes").count == 1)
    }

    @Test("with a session that was somebody's before is refused, and closed by the pooler")
    func noticesAStrangersSetting() async throws {
        let servers = try DatabaseServers(poolSize: 1)
        defer { servers.stop() }
        let database = try PostgreSQLDatabase(servers.url(), connections: 1)
        defer { database.shutDown() }
        let (ada, bob) = (try somebody(), try somebody())
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
        // The pooler has closed the session, since it was left within a transaction.
        let seen = try await withIdentity(ada) { try await database.query("SELECT 1").count }
        #expect(seen == 1)
    }

    @Test("and a URL are refused where they cannot be right, and no password is repeated")
    func refusesBadURLs() async throws {
        for url in ["", "postgresql://%zz:secret@host/x", "host=a bad", "postgresql://a\0b"] {
            let refusal = #expect(throws: PostgreSQLError.self) { try PostgreSQLDatabase(url) }
            #expect(refusal?.code == .badURL && refusal?.message.contains("secret") == false)
        }
        let database = try PostgreSQLDatabase("postgresql://app@/app?host=/nowhere", connections: 1)
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try somebody()) { try await database.query("SELECT 1") }
        }
        #expect(refusal?.code == .cannotConnect)
        for name in ["app", "app.", "app.x; DROP", "App.identity", "1a.b", "a.b.c"] {
            #expect(throws: PostgreSQLError.self) { try PostgreSQLBinding.setting(name) }
            #expect(throws: PostgreSQLError.self) { try PostgreSQLBinding.function(name) }
        }
    }
}
