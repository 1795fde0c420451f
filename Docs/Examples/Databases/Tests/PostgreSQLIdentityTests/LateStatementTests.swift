import DatabaseServers
import MultiIdentity
import Testing

@testable import PostgreSQLIdentity

@Suite("A statement that comes too late") struct LateStatementTests {
    @Test("is not sent: the connection is another lease's by then")
    func isRefusedWhereItIsSent() async throws {
        var settings = PostgreSQLSettings()
        settings.statementLimit = .seconds(5)
        let connection = try await PostgreSQLConnection.open(Servers.shared.url(through: .database), settings)
        defer { connection.close() }
        let (ada, bob) = (try somebody(), try somebody())
        try connection.bind(to: ada.caselessName, by: .standard)
        let adas = connection.begin(.readCommitted)
        _ = try await connection.wire.run(
            [EncodedStatement("SELECT 1", [])],
            as: .part,
            within: connection.limit,
            of: adas
        )
        _ = try await connection.wire.run([.commit], as: .commit, within: connection.limit, of: adas)
        try connection.clear()
        // The next lease has begun, and the first one's statement passed its check before it ended.
        try connection.bind(to: bob.caselessName, by: .standard)
        let bobs = connection.begin(.readCommitted)
        let late = await #expect(throws: PostgreSQLError.self) {
            try await connection.wire.run(
                [EncodedStatement("SELECT 1", [])],
                as: .part,
                within: connection.limit,
                of: adas
            )
        }
        #expect(late?.code == .unusable)
        let who = try EncodedStatement("SELECT current_setting('app.identity') AS who", [])
        let seen = try await connection.wire.run([who], as: .part, within: connection.limit, of: bobs)
        #expect(seen.last?.rows.first?["who"] == bob.caselessName)
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
