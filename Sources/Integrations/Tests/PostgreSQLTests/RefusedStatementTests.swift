import DatabaseServers
import MultiIdentity
import MultiIdentityLease
import PostgreSQLIdentity
import Testing

@Suite("A statement in a transaction of somebody") struct RefusedStatementTests {
    @Test(
        "is refused where it would outlast the transaction, end it, or change its identity",
        arguments: [
            "SET app.identity = 'bob'", "set session app.identity = 'bob'", "SET LOCAL app.identity = 'bob'",
            "SET LOCAL \"app.identity\" = 'bob'", "SET LOCAL U&\"role\" = 'owner'", "SET ROLE owner",
            "SET LOCAL ROLE owner",
            "SET SESSION AUTHORIZATION owner", "SET LOCAL SESSION AUTHORIZATION owner", "RESET app.identity",
            "RESET ALL",
            "DISCARD ALL", "SELECT set_config('app.identity', 'bob', false)",
            "SELECT SET_CONFIG ('app.identity', 'bob', true)",
            "WITH x AS (SELECT pg_catalog.set_config('app.identity', 'bob', true)) SELECT * FROM x",
            "UPDATE pg_settings SET setting = 'bob' WHERE name = 'app.identity'", "LISTEN changes", "UNLISTEN *",
            "PREPARE p AS SELECT 1", "EXECUTE p", "DEALLOCATE ALL", "DECLARE c CURSOR WITH HOLD FOR SELECT 1",
            "CREATE TEMP TABLE t (n int)", "CREATE TABLE t (n int)", "SELECT pg_advisory_lock(1)",
            "SELECT pg_try_advisory_lock_shared(1)", "SELECT pg_advisory_unlock_all()", "COMMIT", "END", "ROLLBACK",
            "BEGIN",
            "SAVEPOINT s", "TRUNCATE notes", "COPY notes TO STDOUT", "DO $$ BEGIN END $$", "CALL p()", "LOAD 'x'",
            "ALTER ROLE app SET app.identity = 'bob'", ";SET app.identity = 'bob'",
            "/* a /* b */ c */ SET app.identity = 'bob'",
            "-- a\nSET app.identity = 'bob'", "(((SET app.identity = 'bob'", "", "  ", "\u{FEFF}SELECT 1",
        ]
    )
    func isRefused(_ sql: String) async throws {
        let database = try await Servers.database()
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try somebody()) {
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
            "set local work_mem to '4MB'",
            "SET CONSTRAINTS ALL DEFERRED", "WITH x AS (SELECT 1) SELECT * FROM x", "VALUES (1)", "TABLE notes",
            "EXPLAIN SELECT 1",
            "SHOW work_mem", "SELECT pg_advisory_xact_lock(1)", "SELECT 'set_' || 'config'", "NOTIFY changes",
        ]
    )
    func isSent(_ sql: String) async throws {
        let database = try await Servers.database()
        _ = try await withIdentity(try somebody()) {
            try await database.withTransaction { transaction in try await transaction.query(sql) }
        }
    }

    @Test("is one statement, so that what is injected begins no other")
    func isOne() async throws {
        let database = try await Servers.database()
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try somebody()) { try await database.query("SELECT 1; SET app.identity = 'bob'") }
        }
        #expect(refusal?.sqlState == "42601")
    }
}
