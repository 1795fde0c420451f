import DatabaseServers
import MultiIdentity
import MultiIdentityLease
import PostgreSQLIdentity
import Testing

@Suite("A transaction of somebody") struct TransactionTests {
    @Test("sees what is theirs, and no more", arguments: DatabaseServers.Server.allCases)
    func seesItsOwn(_ server: DatabaseServers.Server) async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url(through: server), connections: 1)
        defer { database.shutDown() }
        let both = [try somebody(), try somebody()]
        for identity in both {
            let count = try await withIdentity(identity) {
                try await database.withTransaction { transaction in
                    try await transaction.query("INSERT INTO notes (title) VALUES ($1)", ["by \(identity)"]).count
                }
            }
            #expect(count == 1)
        }
        for identity in both {
            let titles = try await withIdentity(identity) {
                try await database.query("SELECT title FROM notes").rows.map { try $0.decode(String.self, "title") }
            }
            #expect(titles == ["by \(identity)"])
        }
    }

    @Test("is one identity's however its name is written")
    func isComparedWithoutCase() async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url(), connections: 1)
        defer { database.shutDown() }
        let name = "Grüße-\(UInt32.random(in: 0 ... .max))@contoso.com"
        _ = try await withIdentity(Identity(name)) {
            try await database.query("INSERT INTO notes (title) VALUES ('one')")
        }
        let seen = try await withIdentity(Identity(name.uppercased())) {
            try await database.query("SELECT FROM notes").count
        }
        #expect(seen == 1)
    }

    @Test("cannot write what is another's")
    func writesItsOwn() async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url(), connections: 1)
        defer { database.shutDown() }
        let (ada, bob) = (try somebody(), try somebody())
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(ada) {
                try await database.query("INSERT INTO notes (owner, title) VALUES ($1, 'for you')", [bob.caselessName])
            }
        }
        #expect(refusal?.code == .server && refusal?.sqlState == "42501")
    }

    @Test("is refused where no identity is bound, or nobody's, as set", arguments: DatabaseServers.Server.allCases)
    func needsAnIdentity(_ server: DatabaseServers.Server) async throws {
        let servers = try await Servers.shared
        let ada = try somebody()
        var settings = PostgreSQLSettings()
        for choice in LeaseSettings.WithoutIdentity.allCases {
            settings.withoutIdentity = choice
            let database = try PostgreSQLDatabase(servers.url(through: server), connections: 1, settings: settings)
            defer { database.shutDown() }
            _ = try await withIdentity(ada) { try await database.query("INSERT INTO notes (title) VALUES ('mine')") }
            try await withIdentityLevels(IdentityLevels()) {
                switch choice {
                case .refused:
                    let refusal = await #expect(throws: LeaseError.self) {
                        try await database.query("SELECT FROM notes")
                    }
                    #expect(refusal?.code == .noIdentity)
                case .asNobody:
                    let seen = try await database.query("SELECT FROM notes").count
                    #expect(seen == 0)
                    let refusal = await #expect(throws: PostgreSQLError.self) {
                        try await database.query("INSERT INTO notes (title) VALUES ('nobody’s')")
                    }
                    #expect(refusal?.sqlState != nil)
                }
            }
            let nobodys = try await withIdentity(.nobody) { try await database.query("SELECT FROM notes").count }
            #expect(nobodys == 0)
        }
    }

    @Test(
        "is rolled back where the work throws, and its connection serves on",
        arguments: DatabaseServers.Server.allCases
    )
    func rollsBack(_ server: DatabaseServers.Server) async throws {
        let closed = Closings()
        let database = try PostgreSQLDatabase(
            await Servers.shared.url(through: server),
            connections: 1,
            settings: closed.settings
        )
        defer { database.shutDown() }
        let ada = try somebody()
        await #expect(throws: Planned.self) {
            try await withIdentity(ada) {
                try await database.withTransaction { transaction in
                    try await transaction.query("INSERT INTO notes (title) VALUES ('never')")
                    throw Planned()
                }
            }
        }
        let left = try await withIdentity(ada) { try await database.query("SELECT FROM notes").count }
        #expect(left == 0)
        #expect(closed.all.isEmpty)
    }

    @Test("with a failed statement that was passed over is not taken for committed")
    func saysThatItRolledBack() async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url(), connections: 1)
        defer { database.shutDown() }
        let ada = try somebody()
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(ada) {
                try await database.withTransaction { transaction in
                    try await transaction.query("INSERT INTO notes (title) VALUES ('lost')")
                    _ = try? await transaction.query("SELECT 1 / 0")
                }
            }
        }
        #expect(refusal?.code == .rolledBack)
        let left = try await withIdentity(ada) { try await database.query("SELECT FROM notes").count }
        #expect(left == 0)
    }

    @Test("goes on after a savepoint that was undone")
    func hasSavepoints() async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url(), connections: 1)
        defer { database.shutDown() }
        let ada = try somebody()
        let titles = try await withIdentity(ada) {
            try await database.withTransaction(.serializable) { transaction in
                try await transaction.withSavepoint {
                    try await transaction.query("INSERT INTO notes (title) VALUES ('outer')")
                    _ = try? await transaction.withSavepoint {
                        try await transaction.query("INSERT INTO notes (title) VALUES ('inner')")
                        try await transaction.query("SELECT 1 / 0")
                    }
                }
                return try await transaction.query("SELECT title FROM notes").rows.map { $0["title"] }
            }
        }
        #expect(titles == ["outer"])
    }

    @Test("is of no use to another identity, nor once it is over")
    func isItsLesseesAlone() async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url(), connections: 1)
        defer { database.shutDown() }
        let (ada, bob) = (try somebody(), try somebody())
        let refusal = await #expect(throws: LeaseError.self) {
            try await withIdentity(ada) {
                try await database.withTransaction { transaction in
                    try await withIdentity(bob) { try await transaction.query("SELECT 1") }
                }
            }
        }
        #expect(refusal?.code == .anothers)
    }

    @Test("gives values as they were sent", arguments: DatabaseServers.Server.allCases)
    func roundTrips(_ server: DatabaseServers.Server) async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url(through: server), connections: 1)
        defer { database.shutDown() }
        try await withIdentity(try somebody()) {
            let row = try #require(
                try await database.query(
                    #"SELECT $1::text AS "Text", $2::bigint AS whole, $3::float8 AS part, $4::bool AS truth, $5::bytea AS bytes, $6::text AS none"#,
                    ["'; DROP TABLE notes; -- ü", -7, 0.1, true, [0, 255] as [UInt8], nil]
                ).rows.first
            )
            #expect(try row.decode(String.self, "Text") == "'; DROP TABLE notes; -- ü")
            #expect(try row.decode(Int.self, "whole") == -7)
            #expect(try row.decode(Double.self, "part") == 0.1)
            #expect(try row.decode(Bool.self, "truth"))
            #expect(try row.decode([UInt8].self, "bytes") == [0, 255])
            #expect(try row.decodeIfPresent(String.self, "none") == nil)
            #expect(throws: PostgreSQLError.self) { try row.decode(Int.self, "Text") }
            #expect(throws: PostgreSQLError.self) { try row.decode(String.self, "text") }
            #expect(throws: PostgreSQLError.self) { try row.decode(String.self, "none") }
        }
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try somebody()) { try await database.query("SELECT $1", ["cut\0off"]) }
        }
        #expect(refusal?.code == .zeroByte)
    }
}

struct Planned: Error {}
