import GRDB
import GRPCCore
import LedgerProtocol
import LedgerService
import MultiIdentity
import Testing

@Suite("The ledger does each user's work as that user", .timeLimit(.minutes(2))) struct LedgerCallsTests {
    @Test("from the call to the row, the job and its receipt")
    func oneUser() async throws {
        let ledger = try TestedLedger()
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

    @Test("many users at once, streamed and one by one: no entry, answer or receipt is another's")
    func manyUsers() async throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        let wrong = try await ledger.serve { client in try await Self.load(client, users: 50, entries: 6) }
        #expect(wrong == 0)
        let check = try LedgerCheck(database: ledger.database)
        #expect(check.isRight && check.entries == 300, "\(check)")
    }

    @Test("and with plain Dispatch and a thread-local the same test finds wrong ones")
    func plain() async throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        let wrong = try await ledger.serve(handover: .unsafePlain) { client in
            try await Self.load(client, users: 50, entries: 6, waitsForReceipts: false)
        }
        #expect(wrong > 0)
    }

    /// Returns the number of answers that are another's.
    static func load(
        _ client: Ledger_V1_Ledger.Client<some ClientTransport>,
        users: Int,
        entries: Int,
        waitsForReceipts: Bool = true
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for user in 0..<users {
                let name = "user\(user)@contoso.com"
                group.addTask {
                    try await withIdentity(Identity(name)) {
                        var seen: [String] = []
                        for number in 0..<entries / 2 {
                            // Users that are mixed up write each other's entries; ids tell them apart.
                            let entry = try await client.append("\(user)-\(number)", name)
                            seen += [entry.owner.name, entry.servedAs.name, entry.text]
                        }
                        seen += try await client.appendEach { writer in
                            for number in entries / 2..<entries {
                                try await writer.write(Ledger_V1_AppendRequest("\(user)-\(number)", name))
                            }
                        } onResponse: { response in
                            var seen: [String] = []
                            for try await entry in response.messages {
                                seen += [entry.owner.name, entry.servedAs.name, entry.text]
                            }
                            return seen
                        }
                        let listed = try await client.entries()
                        seen += listed.flatMap { [$0.owner.name, $0.servedAs.name, $0.text] }
                        var wrong = seen.count { $0 != name } + abs(listed.count - entries)
                        if waitsForReceipts {
                            let receipts = try await client.receipts(atLeast: entries)
                            wrong += receipts.count { $0.madeAs.name != name || $0.servedAs.name != name }
                        }
                        return wrong
                    }
                }
            }
            return try await group.reduce(0, +)
        }
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

    @Test("a row that names no owner any more is shown to nobody")
    func corruptRow() async throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        try await ledger.serve { client in
            _ = try await withIdentity(Identity("ada@contoso.com")) { try await client.append("1", "first") }
            // The service still has a receipt to write, and its turn may come first.
            var waiting = Configuration()
            waiting.busyMode = .timeout(10)
            try await DatabaseQueue(path: ledger.database, configuration: waiting).write { db in
                try db.execute(sql: "UPDATE entries SET owner_key = 'eve@contoso.com'")
            }
            let error = await #expect(throws: RPCError.self) {
                try await withIdentity(Identity("eve@contoso.com")) { try await client.entries() }
            }
            #expect(error?.code == .dataLoss)
            #expect(error?.message.contains("ada") == false)
        }
    }

    @Test("who is nobody has a ledger that nobody else sees")
    func nobody() async throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        try await ledger.serve { client in
            try await withIdentity(.nobody) {
                let entry = try await client.append("1", "first")
                #expect(entry.servedAs.who == .nobody(Ledger_V1_Seen.Nobody()))
                #expect(try await client.receipts(atLeast: 1).first?.madeAs == entry.owner)
            }
        }
    }
}
