import GRPCCore
import LedgerProtocol

extension Ledger_V1_AppendRequest {
    init(_ id: String, _ text: String) {
        self.init()
        requestID = id
        self.text = text
    }
}

extension Ledger_V1_Ledger.Client {
    func append(_ id: String, _ text: String) async throws -> Ledger_V1_Entry {
        try await append(Ledger_V1_AppendRequest(id, text))
    }

    func entries() async throws -> [Ledger_V1_Entry] {
        try await list(Ledger_V1_ListRequest()) { response in
            var entries: [Ledger_V1_Entry] = []
            for try await entry in response.messages { entries.append(entry) }
            return entries
        }
    }

    func madeReceipts() async throws -> [Ledger_V1_Receipt] {
        try await receipts(Ledger_V1_ListRequest()) { response in
            var receipts: [Ledger_V1_Receipt] = []
            for try await receipt in response.messages { receipts.append(receipt) }
            return receipts
        }
    }

    /// Waits until an owner has as many receipts.
    func receipts(atLeast number: Int) async throws -> [Ledger_V1_Receipt] {
        while true {
            let receipts = try await madeReceipts()
            if receipts.count >= number { return receipts }
            try await Task.sleep(for: .milliseconds(150))
        }
    }
}
