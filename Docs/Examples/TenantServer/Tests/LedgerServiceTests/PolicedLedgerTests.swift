import GRPCCore
import LedgerProtocol
import LedgerService
import MultiIdentity
import PostgreSQLIdentity
import Testing

@Suite("A ledger on PostgreSQL", .timeLimit(.minutes(2))) struct PolicedLedgerTests {
    @Test("shows another no entry and no receipt, whatever the statement, and lets them write none")
    func policies() async throws {
        let ledger = try TestedLedger(on: .postgreSQL)
        defer { ledger.remove() }
        try await ledger.serve { client in
            try await withIdentity(Identity("ada@contoso.com")) {
                _ = try await client.append("1", "first")
                _ = try await client.receipts(atLeast: 1)
            }
        }
        let database = try PostgreSQLDatabase(ledger.database)
        func count(_ table: String, as name: String) async throws -> Int {
            try await withIdentity(Identity(name)) { try await database.query("SELECT FROM \(table)").count }
        }
        for table in ["entries", "receipts", "jobs"] {
            #expect(try await count(table, as: "ADA@contoso.com") == 1)
            #expect(try await count(table, as: "grace@contoso.com") == 0)
        }
        try await withIdentity(Identity("grace@contoso.com")) {
            let error = await #expect(throws: PostgreSQLError.self) {
                try await database.query(
                    """
                    INSERT INTO entries (request_id, text, owner_kind, owner_name, owner_key)
                    VALUES ('2', '', 'named', 'ada@contoso.com', 'ada@contoso.com')
                    """
                )
            }
            #expect(error?.sqlState == "42501")
            let removed = try await database.query("DELETE FROM receipts").count
            #expect(removed == 0)
        }
    }

    @Test("is not counted as a role that does not see all of it") func hidden() async throws {
        let ledger = try TestedLedger(on: .postgreSQL)
        defer { ledger.remove() }
        let error = await #expect(throws: PostgreSQLError.self) { try await LedgerCheck(postgreSQL: ledger.database) }
        #expect(error?.sqlState == "42501")
    }

    @Test("answers that it is to be tried again where the database does not answer") func gone() async throws {
        let ledger = try TestedLedger(on: .postgreSQL)
        defer { ledger.remove() }
        try await ledger.serve(["LEDGER_DATABASE": "postgresql://app@/ledger?host=/nowhere"]) { client in
            let error = try await withIdentity(Identity("ada@contoso.com")) {
                await #expect(throws: RPCError.self) { try await client.append("1", "first") }
            }
            #expect(error?.code == .unavailable)
        }
    }
}
