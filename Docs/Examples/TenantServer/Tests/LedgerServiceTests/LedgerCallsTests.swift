import GRPCCore
import LedgerProtocol
import LedgerService
import MultiIdentity
import Testing

@Suite("The ledger does each user's work as that user", .timeLimit(.minutes(2))) struct LedgerCallsTests {
    @Test("from the call to the row, the job and its receipt", arguments: TestedLedger.Engine.allCases)
    func oneUser(_ engine: TestedLedger.Engine) async throws {
        let ledger = try TestedLedger(on: engine)
        defer { ledger.remove() }
        try await ledger.serve { client in
            try await withIdentity(Identity("ada@contoso.com")) {
                let entry = try await client.append("1", "first")
                #expect(entry.owner.name == "ada@contoso.com")
                #expect(entry.servedAs == entry.owner)
                #expect(try await client.append("1", "first") == entry, "twice the same is once")
                let receipt = try #require(try await client.receipts(atLeast: 1).first)
                #expect(receipt.requestID == "1" && receipt.entry == entry.number)
                #expect(receipt.madeAs == entry.owner)
                #expect(try await client.entries() == [entry])
                let error = await #expect(throws: RPCError.self) { try await client.append("1", "another") }
                #expect(error?.code == .alreadyExists)
            }
            let others = try await withIdentity(Identity("grace@contoso.com")) { try await client.entries() }
            #expect(others == [], "nobody sees another's ledger")
            let shouted = try await withIdentity(Identity("ADA@CONTOSO.COM")) { try await client.entries() }
            #expect(shouted.map(\.requestID) == ["1"], "however the name is spelled")
        }
    }

    @Test(
        "many users at once, streamed and one by one: no entry, answer or receipt is another's",
        arguments: TestedLedger.Engine.allCases
    )
    func manyUsers(_ engine: TestedLedger.Engine) async throws {
        let ledger = try TestedLedger(on: engine)
        defer { ledger.remove() }
        let wrong = try await ledger.serve { client in try await client.wrongAnswers(users: 50, entries: 6) }
        #expect(wrong == 0)
        let check = try await ledger.check()
        #expect(check.isRight && check.entries == 300, "\(check)")
    }

    @Test("what is no request is refused, and nothing is written")
    func invalid() async throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        try await ledger.serve { client in
            try await withIdentity(Identity("ada@contoso.com")) {
                for (id, text) in [
                    ("", ""), ("a b", ""), ("ü", ""), (String(repeating: "x", count: 129), ""),
                    ("1", String(repeating: "x", count: 65_537)),
                ] {
                    let error = await #expect(throws: RPCError.self) { try await client.append(id, text) }
                    #expect(error?.code == .invalidArgument)
                }
                let entries = try await client.entries()
                #expect(entries == [])
            }
        }
    }

    @Test("a row that names no owner any more is shown to nobody", arguments: TestedLedger.Engine.allCases)
    func corruptRow(_ engine: TestedLedger.Engine) async throws {
        let ledger = try TestedLedger(on: engine)
        defer { ledger.remove() }
        try await ledger.serve { client in
            _ = try await withIdentity(Identity("ada@contoso.com")) { try await client.append("1", "first") }
            try await ledger.tamper("UPDATE entries SET owner_key = 'eve@contoso.com'")
            let error = await #expect(throws: RPCError.self) {
                try await withIdentity(Identity("eve@contoso.com")) { try await client.entries() }
            }
            #expect(error?.code == .dataLoss)
            #expect(error?.message.contains("ada") == false)
        }
    }

    @Test("who is nobody has a ledger that nobody else sees", arguments: TestedLedger.Engine.allCases)
    func nobody(_ engine: TestedLedger.Engine) async throws {
        let ledger = try TestedLedger(on: engine)
        defer { ledger.remove() }
        try await ledger.serve { client in
            try await withIdentity(.nobody) {
                let entry = try await client.append("1", "first")
                #expect(entry.servedAs.who == .nobody(Ledger_V1_Seen.Nobody()))
                #expect(try await client.receipts(atLeast: 1).first?.madeAs == entry.owner)
            }
            let others = try await withIdentity(Identity("grace@contoso.com")) { try await client.entries() }
            #expect(others == [])
        }
    }
}
