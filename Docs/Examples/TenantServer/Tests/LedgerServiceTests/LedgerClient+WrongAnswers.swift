import GRPCCore
import LedgerProtocol
import MultiIdentity

extension Ledger_V1_Ledger.Client {
    /// The number of answers that are another's, where many users append entries, one by one and streamed.
    func wrongAnswers(users: Int, entries: Int, waitsForReceipts: Bool = true) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for user in 0..<users {
                let name = "user\(user)@contoso.com"
                group.addTask {
                    try await withIdentity(Identity(name)) {
                        var seen: [String] = []
                        for number in 0..<entries / 2 {
                            // Users that are mixed up write each other's entries; ids tell them apart.
                            let entry = try await append("\(user)-\(number)", name)
                            seen += [entry.owner.name, entry.servedAs.name, entry.text]
                        }
                        seen += try await appendEach { writer in
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
                        let listed = try await self.entries()
                        seen += listed.flatMap { [$0.owner.name, $0.servedAs.name, $0.text] }
                        var wrong = seen.count { $0 != name } + abs(listed.count - entries)
                        if waitsForReceipts {
                            let receipts = try await self.receipts(atLeast: entries)
                            wrong += receipts.count { $0.madeAs.name != name || $0.servedAs.name != name }
                        }
                        return wrong
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
