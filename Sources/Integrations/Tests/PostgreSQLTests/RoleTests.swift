import DatabaseServers
import MultiIdentity
import PostgreSQLIdentity
import Testing

@Suite("A role on the server") struct RoleTests {
    @Test("is refused where it goes round policies") func isAsked() async throws {
        let database = try PostgreSQLDatabase(await Servers.shared.url("owner"), connections: 1)
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(try somebody()) { try await database.query("SELECT 1") }
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
            try await withIdentity(try somebody()) { try await database.query("SELECT 1") }
        }
        #expect(refusal?.code == .cannotConnect)
    }
}
