import Foundation
import GRPCCore
import LedgerCalls
import Logging
import MultiIdentity
import SignedIdentity
import Synchronization
import Testing

@testable import tenant_server

@Suite("The ledger") struct LedgerTests {
    @Test("refuses a call whose claim is missing, or signed with another key") func refuses() async throws {
        try await TestServer.run { server in
            let ada = try Identity("ada@contoso.com")
            let others = try KeyRing(parsing: "one:\(Data(repeating: 7, count: 32).base64EncodedString())")
            for keys in [nil, others] {
                let error = await #expect(throws: RPCError.self) { try await append("forged", as: ada, keys, server) }
                #expect(error?.code == .unauthenticated)
            }
            #expect(server.ledger.entries(of: ada) == [])
            let entry = try await append("real", as: ada, TestServer.keys(), server)
            #expect(server.ledger.entries(of: ada) == [entry] && entry.owner == ada.name)
        }
    }

    private func append(
        _ text: String,
        as identity: Identity?,
        _ keys: KeyRing?,
        _ server: TestServer
    ) async throws -> Entry {
        let client = try LedgerClient(host: "127.0.0.1", port: server.ledgerPort, keys: keys)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await withIdentity(identity) { try await client.append(text) }
        }
    }
}

@Suite("A job in a row that others can write to") struct JobClaimTests {
    @Test("runs as the user who enqueued it, and is dropped if the user has left") func owners() async throws {
        let ran = Notes()
        let jobs = JobQueue(keys: try TestServer.keys(), logger: .init(label: "test")) { text in
            ran.add("\(text) as \(try Identity.required())")
        }
        let users = try ["ada", "grace", "leaver"].map { try Identity("\($0)-of-jobs@contoso.com") }
        for user in users { try withIdentity(user) { _ = try jobs.enqueue("job") } }
        #expect(throws: (any Error).self) { _ = try jobs.enqueue("no one's") }
        IdentityRevocation.revoke(users[2], for: .wiped)
        defer { IdentityRevocation.readmit(users[2], after: .wiped) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await jobs.run() }
            while jobs.count > 0 || ran.all.count < 2 { await Task.yield() }
            group.cancelAll()
        }
        #expect(ran.all.sorted() == ["job as ada-of-jobs@contoso.com", "job as grace-of-jobs@contoso.com"])
    }
}

/// Texts that work on any thread records.
private final class Notes: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
