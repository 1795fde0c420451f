import DatabaseServers
import MultiIdentity
import MultiIdentityLease
import Testing

@testable import PostgreSQLIdentity

@Suite("A statement in a user's transaction") struct RefusedStatementTests {
    @Test(
        "is refused where it would outlast the transaction, end it, or change its identity",
        arguments: [
            "SET app.identity = 'bob'", "set session app.identity = 'bob'", "SET LOCAL app.identity = 'bob'",
            "SET LOCAL \"app.identity\" = 'bob'", "SET LOCAL U&\"role\" = 'owner'", "SET ROLE owner",
            "SET LOCAL ROLE owner", "SET SESSION AUTHORIZATION owner", "SET LOCAL SESSION AUTHORIZATION owner",
            "RESET app.identity", "RESET ALL", "DISCARD ALL", "SELECT set_config('app.identity', 'bob', false)",
            "SELECT SET_CONFIG ('app.identity', 'bob', true)",
            "WITH x AS (SELECT pg_catalog.set_config('app.identity', 'bob', true)) SELECT * FROM x",
            "UPDATE pg_settings SET setting = 'bob' WHERE name = 'app.identity'", "LISTEN changes", "UNLISTEN *",
            "PREPARE p AS SELECT 1", "EXECUTE p", "DEALLOCATE ALL", "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
            "CREATE TEMP TABLE t (n int)", "CREATE TABLE t (n int)", "SELECT pg_advisory_lock(1)",
            "SELECT pg_try_advisory_lock_shared(1)", "SELECT pg_advisory_unlock_all()", "COMMIT", "END", "ROLLBACK",
            "BEGIN", "SAVEPOINT s", "TRUNCATE notes", "COPY notes TO STDOUT", "DO $$ BEGIN END $$", "CALL p()",
            "LOAD 'x'", "ALTER ROLE app SET app.identity = 'bob'", ";SET app.identity = 'bob'",
            "/* a /* b */ c */ SET app.identity = 'bob'", "-- a\nSET app.identity = 'bob'",
            "(((SET app.identity = 'bob'", "", "  ", "\u{FEFF}SELECT 1",
        ]
    )
    func isRefused(_ sql: String) async throws {
        let database = try await Servers.database()
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try someUser()) {
                try await database.withTransaction { transaction in try await transaction.query(sql) }
            }
        }
        #expect(refusal?.code == .refusedStatement)
        #expect(refusal?.sqlState == nil, "the server was not asked")
        #expect(database.counts.idle == 1, "the connection serves on")
    }

    @Test(
        "is sent where it ends with the transaction",
        arguments: [
            "SELECT 1", "  select 1;", "-- why\n/* so */ (SELECT 1)", "SET LOCAL statement_timeout = 1000",
            "set local work_mem to '4MB'", "SET CONSTRAINTS ALL DEFERRED", "WITH x AS (SELECT 1) SELECT * FROM x",
            "VALUES (1)", "TABLE notes", "EXPLAIN SELECT 1", "SHOW work_mem", "SELECT pg_advisory_xact_lock(1)",
            "SELECT 'set_' || 'config'", "NOTIFY changes",
        ]
    )
    func isSent(_ sql: String) async throws {
        let database = try await Servers.database()
        _ = try await withIdentity(try someUser()) {
            try await database.withTransaction { transaction in try await transaction.query(sql) }
        }
    }

    @Test("is one statement, so that what is injected begins no other")
    func isOne() async throws {
        let database = try await Servers.database()
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try someUser()) { try await database.query("SELECT 1; SET app.identity = 'bob'") }
        }
        #expect(refusal?.sqlState == "42601")
    }
}

@Suite("A statement that comes too late") struct LateStatementTests {
    @Test("is not sent: the connection is another lease's by then")
    func isRefusedWhereItIsSent() async throws {
        let connection = try await PostgreSQLConnection.open(Servers.shared.url(through: .database))
        defer { connection.close() }
        func run(_ sql: String, _ kind: PostgreSQLConnection.Kind, of turn: UInt64) async throws -> PostgreSQLResult? {
            try await connection.run(PostgreSQLStatement(fixed: sql), as: kind, within: nil, of: turn).last
        }
        let (ada, bob) = (try someUser(), try someUser())
        try connection.bind(to: ada.caselessName)
        let adas = connection.begin()
        _ = try await run("SELECT 1", .part, of: adas)
        _ = try await run("COMMIT", .commit, of: adas)
        try connection.clear()
        // The next lease has begun, and the first one's statement passed its check before it ended.
        try connection.bind(to: bob.caselessName)
        let bobs = connection.begin()
        let late = await #expect(throws: PostgreSQLError.self) { try await run("SELECT 1", .part, of: adas) }
        #expect(late?.code == .unusable)
        let seen = try await run("SELECT current_setting('app.identity') AS who", .part, of: bobs)
        #expect(seen?.rows.first?["who"] == bob.caselessName)
    }

    @Test("is refused while another one of its connection is under way")
    func isRefusedWhileBusy() async throws {
        let servers = try await Servers.shared
        let connection = try await PostgreSQLConnection.open(servers.url(through: .database))
        defer { connection.close() }
        let task = Task { try await connection.query("SELECT pg_sleep(62)") }
        try await servers.waitUntilRunning("pg_sleep(62)")
        let refusal = await #expect(throws: PostgreSQLError.self) { try await connection.query("SELECT 1") }
        #expect(refusal?.code == .unusable)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

@Suite("A role on the server") struct RoleTests {
    @Test("is refused where it goes round policies") func isAsked() async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url("owner"), connections: 1)
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try someUser()) { try await database.query("SELECT 1") }
        }
        #expect(refusal?.code == .refusedRole)
    }

    @Test("and a URL are refused where they cannot be right, and no password is repeated")
    func refusesBadURLs() async throws {
        for url in ["", "postgresql://%zz:secret@host/x", "host=a bad", "postgresql://a\0b"] {
            let refusal = #expect(throws: PostgreSQLError.self) { try PostgreSQLDatabase(url) }
            #expect(refusal?.code == .badURL && refusal?.message.contains("secret") == false)
        }
        let database = try PostgreSQLDatabase("postgresql://app@/app?host=/nowhere", connections: 1)
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try someUser()) { try await database.query("SELECT 1") }
        }
        #expect(refusal?.code == .cannotConnect)
    }
}
