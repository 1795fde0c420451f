import DatabaseServers
import MultiIdentity
import PostgreSQLIdentity
import Testing

@Suite("A transaction of somebody") struct TransactionTests {
    @Test("sees what is theirs, and no more", arguments: DatabaseServers.Server.allCases)
    func seesItsOwn(_ server: DatabaseServers.Server) async throws {
        let (ada, bob) = (try Identity("ada@contoso.com"), try Identity("bob@contoso.com"))
        let servers = try DatabaseServers()
        let database = try PostgreSQLDatabase(servers.url(through: server), connections: 4)
        for identity in [ada, bob] {
            _ = try await withIdentity(identity) {
                try await database.withTransaction { transaction in
                    try await transaction.query("INSERT INTO notes (title) VALUES ($1)", ["by \(identity)"])
                }
            }
        }
        for identity in [ada, bob] {
            let titles = try await withIdentity(identity) {
                try await database.query("SELECT title FROM notes").rows.map { try $0.decode(String.self, "title") }
            }
            #expect(titles == ["by \(identity)"])
        }
        database.shutDown()
    }
}
