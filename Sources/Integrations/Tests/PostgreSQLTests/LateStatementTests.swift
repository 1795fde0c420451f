import DatabaseServers
import MultiIdentity
import Testing

@testable import PostgreSQLIdentity

@Suite("A statement that comes too late") struct LateStatementTests {
    @Test("is not sent: the connection is another lease's by then")
    func isRefusedWhereItIsSent() async throws {
        let connection = try await PostgreSQLConnection.open(Servers.shared.url(through: .database))
        defer { connection.close() }
        func run(_ sql: String, _ kind: PostgreSQLConnection.Kind, of turn: UInt64) async throws -> PostgreSQLResult? {
            try await connection.run(PostgreSQLStatement(fixed: sql), as: kind, within: nil, of: turn).last
        }
        let (ada, bob) = (try somebody(), try somebody())
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
