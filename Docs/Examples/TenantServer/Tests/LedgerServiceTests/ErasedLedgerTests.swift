import Foundation
import GRPCCore
import LedgerProtocol
import LedgerService
import MultiIdentity
import Testing

@Suite("A ledger is erased", .timeLimit(.minutes(2))) struct ErasedLedgerTests {
    @Test(
        "as the caller, with receipts and jobs, in a file to the last byte; nobody else's is touched",
        arguments: TestedLedger.Engine.allCases
    )
    func erased(_ engine: TestedLedger.Engine) async throws {
        let ledger = try TestedLedger(on: engine)
        defer { ledger.remove() }
        try await ledger.serve { client in
            for name in ["ada@contoso.com", "grace@contoso.com"] {
                try await withIdentity(Identity(name)) {
                    for number in 0..<100 { _ = try await client.append("\(number)", "text \(number) of \(name)") }
                    _ = try await client.receipts(atLeast: 100)
                }
            }
            try await withIdentity(Identity("ADA@contoso.com")) {
                let erased = try await client.erase(Ledger_V1_EraseRequest())
                #expect(erased.entries == 100 && erased.receipts == 100 && erased.jobs == 100)
                #expect(erased.servedAs.name == "ADA@contoso.com")
                #expect(try await client.entries() == [])
                let again = try await client.erase(Ledger_V1_EraseRequest())
                #expect(again.entries == 0 && again.receipts == 0 && again.jobs == 0)
            }
            guard engine == .sqlite else { return }
            let files = try FileManager.default.contentsOfDirectory(at: ledger.folder, includingPropertiesForKeys: nil)
            let bytes = try files.map { try Data(contentsOf: $0) }
            #expect(bytes.allSatisfy { $0.firstRange(of: Data("ada@contoso.com".utf8)) == nil })
            #expect(bytes.contains { $0.firstRange(of: Data("grace@contoso.com".utf8)) != nil })
        }
        let check = try await ledger.check()
        #expect(check.isRight && check.entries == 100, "\(check)")
    }

    @Test("and begins anew: what is appended afterwards is there", arguments: TestedLedger.Engine.allCases)
    func anew(_ engine: TestedLedger.Engine) async throws {
        let ledger = try TestedLedger(on: engine)
        defer { ledger.remove() }
        try await ledger.serve { client in
            try await withIdentity(Identity("ada@contoso.com")) {
                _ = try await client.append("1", "first")
                _ = try await client.erase(Ledger_V1_EraseRequest())
                #expect(try await client.append("1", "another").text == "another")
                #expect(try await client.receipts(atLeast: 1).count == 1)
            }
        }
    }
}
