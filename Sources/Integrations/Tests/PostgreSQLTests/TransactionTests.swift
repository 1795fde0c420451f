import DatabaseServers
import MultiIdentity
import MultiIdentityLease
import PostgreSQLIdentity
import Testing

private struct Planned: Error {}

@Suite("A transaction of somebody") struct TransactionTests {
    @Test("sees what is theirs, and no more", arguments: DatabaseServers.Server.allCases)
    func seesItsOwn(_ server: DatabaseServers.Server) async throws {
        let database = try await Servers.database(through: server)
        let both = [try someUser(), try someUser()]
        for identity in both {
            let count = try await database.withTransaction(as: identity) { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ($1)", ["by \(identity)"]).count
            }
            #expect(count == 1)
        }
        for identity in both {
            let titles = try await withIdentity(identity) {
                try await database.query("SELECT title FROM notes").rows.map { $0["title"] }
            }
            #expect(titles == ["by \(identity)"])
        }
    }

    @Test("is one identity's however its name is written")
    func isComparedWithoutCase() async throws {
        let database = try await Servers.database()
        let name = "Grüße-\(UInt32.random(in: 0 ... .max))@contoso.com"
        _ = try await withIdentity(Identity(name)) {
            try await database.query("INSERT INTO notes (title) VALUES ('one')")
        }
        let seen = try await withIdentity(Identity(name.uppercased())) {
            try await database.query("SELECT FROM notes").count
        }
        #expect(seen == 1)
    }

    @Test("is refused where no identity is bound, or nobody's, as set", arguments: DatabaseServers.Server.allCases)
    func needsAnIdentity(_ server: DatabaseServers.Server) async throws {
        var settings = PostgreSQLSettings()
        let refusing = try await Servers.database(through: server)
        settings.withoutIdentity = .asNobody
        let asNobody = try await Servers.database(through: server, settings: settings)
        try await withIdentity(try someUser()) {
            _ = try await asNobody.query("INSERT INTO notes (title) VALUES ('mine')")
        }
        try await withIdentityLevels(IdentityLevels()) {
            let refusal = await #expect(throws: LeaseError.self) { try await refusing.query("SELECT FROM notes") }
            #expect(refusal?.code == .noIdentity)
            let seen = try await asNobody.query("SELECT FROM notes").count
            #expect(seen == 0)
            await #expect(throws: PostgreSQLError.self) {
                try await asNobody.query("INSERT INTO notes (title) VALUES ('nobody’s')")
            }
        }
    }

    @Test(
        "is rolled back where the work throws, and its connection serves on",
        arguments: DatabaseServers.Server.allCases
    )
    func rollsBack(_ server: DatabaseServers.Server) async throws {
        let closed = Closings()
        let database = try await Servers.database(through: server, settings: closed.settings)
        let ada = try someUser()
        await #expect(throws: Planned.self) {
            try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ('never')")
                throw Planned()
            }
        }
        #expect(try await database.noteCount(of: ada) == 0)
        #expect(closed.all.isEmpty)
    }

    @Test("with a failed statement that was passed over is not taken for committed")
    func saysThatItRolledBack() async throws {
        let database = try await Servers.database()
        let ada = try someUser()
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ('lost')")
                _ = try? await transaction.query("SELECT 1 / 0")
            }
        }
        #expect(refusal?.code == .rolledBack)
        #expect(try await database.noteCount(of: ada) == 0)
    }

    @Test("is of no use to another identity, nor once it is over")
    func isItsLesseesAlone() async throws {
        let database = try await Servers.database()
        let (ada, bob) = (try someUser(), try someUser())
        let refusal = await #expect(throws: LeaseError.self) {
            try await database.withTransaction(as: ada) { transaction in
                try await withIdentity(bob) { try await transaction.query("SELECT 1") }
            }
        }
        #expect(refusal?.code == .wrongIdentity)
    }

    @Test("gives values as they were sent", arguments: DatabaseServers.Server.allCases)
    func roundTrips(_ server: DatabaseServers.Server) async throws {
        let database = try await Servers.database(through: server)
        try await withIdentity(try someUser()) {
            let rows = try await database.query(
                #"SELECT $1::text AS "Text", $2::bigint AS whole, $3::bool AS truth, $4::text AS none"#,
                ["'; DROP TABLE notes; -- ü", "-7", "true", nil]
            ).rows
            let row = try #require(rows.first)
            #expect(row["Text"] == "'; DROP TABLE notes; -- ü" && row["whole"] == "-7" && row["truth"] == "t")
            #expect(row["none"] == nil && row["text"] == nil)
        }
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try someUser()) { try await database.query("SELECT $1", ["cut\0off"]) }
        }
        #expect(refusal?.code == .zeroByte)
    }
}

@Suite("On the wire, a user's transaction") struct RoundTripTests {
    @Test("takes not one round trip more than one by hand", arguments: DatabaseServers.Server.allCases)
    func takesNoRoundTrip(_ server: DatabaseServers.Server) async throws {
        let relay = try Relay(to: await Servers.shared.socket(of: server))
        defer { relay.stop() }
        let ada = try someUser()
        let database = try await Servers.database(through: server, in: relay.folder)
        _ = try await withIdentity(ada) { try await database.query("SELECT 1") }  // which opens the connection
        let leased = try await relay.counting {
            _ = try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ($1)", ["one"])
                try await transaction.query("SELECT title FROM notes")
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
    /// Returns the number of round trips of some work.
    func counting(_ work: () async throws -> Void) async throws -> Int {
        let before = roundTrips
        try await work()
        return roundTrips - before
    }
}
