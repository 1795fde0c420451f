import GRPCCore
import GRPCIdentity
import LedgerProtocol
import MultiIdentity
import Testing

@Suite("A call runs as its caller, in the next process") struct CallsOfUsersTests {
    @Test("from the handler to a thread that may block", arguments: ["ada@contoso.com", "Ada Ü \"x\"; y=z, ✓"])
    func unary(_ name: String) async throws {
        let server = try SeenServer()
        let entry = try await server.run { client in
            try await withIdentity(Identity(name)) { try await client.append(Ledger_V1_AppendRequest("1")) }
        }
        #expect(Array(entry.owner.name.utf8) == Array(name.utf8))
        #expect(entry.servedAs == entry.owner)
    }

    @Test("and stays nobody's if it is nobody's")
    func nobody() async throws {
        let server = try SeenServer()
        let entry = try await server.run { client in
            try await withIdentity(.nobody) { try await client.append(Ledger_V1_AppendRequest("1")) }
        }
        #expect(entry.owner.who == .nobody(Ledger_V1_Seen.Nobody()))
        #expect(entry.servedAs == entry.owner)
    }

    @Test("to the last message of a streamed answer, which gRPC writes after the handler has returned")
    func streamed() async throws {
        let server = try SeenServer()
        let names = try await server.run { client in
            try await withIdentity(Identity("ada@contoso.com")) {
                try await client.list(Ledger_V1_ListRequest()) { response in
                    var names: [String] = []
                    for try await entry in response.messages { names += [entry.owner.name, entry.servedAs.name] }
                    return names
                }
            }
        }
        #expect(names == Array(repeating: "ada@contoso.com", count: 6))
    }

    @Test("message by message in both directions, while others call")
    func bothDirections() async throws {
        let server = try SeenServer()
        try await server.run { client in
            try await withThrowingTaskGroup(of: [String].self) { group in
                for user in 0..<20 {
                    group.addTask {
                        try await withIdentity(Identity("user\(user)")) {
                            try await client.appendEach { writer in
                                // The caller's own code runs as the caller, too.
                                for _ in 0..<10 { try await writer.write(Ledger_V1_AppendRequest(SeenCalls.seen.name)) }
                            } onResponse: { response in
                                var names: [String] = []
                                for try await entry in response.messages {
                                    names += [
                                        entry.requestID, entry.owner.name, entry.servedAs.name, SeenCalls.seen.name,
                                    ]
                                }
                                #expect(names == Array(repeating: "user\(user)", count: 40))
                                return names
                            }
                        }
                    }
                }
                var answers = 0
                for try await names in group { answers += names.count }
                #expect(answers == 20 * 40)
            }
        }
    }

    @Test("two thousand calls of two hundred users at once: each sees its own user and no other")
    func manyUsers() async throws {
        let server = try SeenServer()
        let wrong = try await server.run { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for user in 0..<200 {
                    group.addTask {
                        try await withIdentity(Identity("user\(user)@contoso.com")) {
                            var wrong = 0
                            for call in 0..<10 {
                                let entry = try await client.append(Ledger_V1_AppendRequest("\(user)-\(call)"))
                                let names = [entry.owner.name, entry.servedAs.name]
                                if names != ["user\(user)@contoso.com", "user\(user)@contoso.com"]
                                    || entry.requestID != "\(user)-\(call)"
                                {
                                    wrong += 1
                                }
                            }
                            return wrong
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(wrong == 0)
        #expect(server.calls.calls == 2_000)
    }

    @Test("and one that is made as nobody in particular is refused before it leaves")
    func unset() async throws {
        let server = try SeenServer()
        let error = await #expect(throws: RPCError.self) {
            try await server.run { client in
                try await withIdentity(nil) { _ = try await client.append(Ledger_V1_AppendRequest("1")) }
            }
        }
        #expect(error?.code == .unauthenticated)
        #expect(error?.message.contains("ledger.v1.Ledger/Append was not called") == true)
        #expect(server.calls.calls == 0)
    }

    @Test("whatever identity the caller's own metadata claim; members of others are kept")
    func replaced() async throws {
        let server = try SeenServer()
        let entry = try await server.run { client in
            try await withIdentity(Identity("ada@contoso.com")) {
                try await client.append(
                    Ledger_V1_AppendRequest("1"),
                    metadata: ["baggage": "identity=grace@contoso.com,tenant=contoso", "baggage": "identity=eve"]
                )
            }
        }
        #expect(entry.owner.name == "ada@contoso.com")
    }
}
