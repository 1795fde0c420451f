import Foundation
import GRPCCore
import LedgerProtocol
import LedgerService
import MultiIdentity
import Synchronization
import Testing

@Suite("The program, over HTTP/2", .serialized, .timeLimit(.minutes(3))) struct LedgerProcessTests {
    @Test("killed three times under load and started again: each user has each entry once, and its receipt")
    func killed() async throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        var process = try await LedgerProcess(ledger)
        let port = process.port
        let appended = Count()
        let (users, entries) = (24, 20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let client = process
            group.addTask {
                try await client.withClient { client in
                    try await Self.append(client, users: users, entries: entries) {
                        appended.number.withLock { $0 += 1 }
                    }
                }
            }
            for kill in 1...3 {
                while appended.number.withLock({ $0 }) < kill * users * entries / 5 {
                    try await Task.sleep(for: .milliseconds(2))
                }
                process.child.send(SIGKILL)
                #expect(await process.child.end() == -SIGKILL)
                process = try await LedgerProcess(ledger, port: port)
            }
            try await group.waitForAll()
        }
        try await process.withClient { client in
            for user in 0..<users {
                let name = "user\(user)@contoso.com"
                try await withIdentity(Identity(name)) {
                    let receipts = try await client.receipts(atLeast: entries)
                    let listed = try await client.entries()
                    #expect(Set(listed.map(\.requestID)) == Set((0..<entries).map { "\(user)-\($0)" }))
                    #expect(listed.count == entries && receipts.count == entries)
                    #expect(listed.allSatisfy { $0.owner.name == name && $0.servedAs.name == name && $0.text == name })
                    #expect(receipts.allSatisfy { $0.madeAs.name == name && $0.servedAs.name == name })
                }
            }
        }
        process.child.send(SIGTERM)
        #expect(await process.child.end() == 0)
        let check = try LedgerCheck(database: ledger.database)
        #expect(check.isRight && check.entries == users * entries, "\(check)")
    }

    private final class Count: Sendable {
        let number = Mutex(0)
    }

    /// Appends as many users at once, and again where the server was gone: twice the same is once.
    private static func append(
        _ client: Ledger_V1_Ledger.Client<some ClientTransport>,
        users: Int,
        entries: Int,
        onAppend: @escaping @Sendable () -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in 0..<users {
                let name = "user\(user)@contoso.com"
                group.addTask {
                    try await withIdentity(Identity(name)) {
                        for number in 0..<entries {
                            while true {
                                do {
                                    let entry = try await client.append("\(user)-\(number)", name)
                                    #expect(entry.owner.name == name && entry.servedAs.name == name)
                                    break
                                } catch let error as RPCError
                                    where error.code != .unauthenticated && error.code != .alreadyExists
                                {
                                    try await Task.sleep(for: .milliseconds(20))
                                }
                            }
                            onAppend()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("asked to stop, it ends the calls that run, and every line of its log names its user")
    func stopped() async throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        let process = try await LedgerProcess(
            ledger,
            changes: ["LEDGER_BLOCKING_MILLISECONDS": "500", "LEDGER_LOG_LEVEL": "debug"]
        )
        let answered = try await process.withClient { client in
            try await withThrowingTaskGroup(of: String.self) { group in
                for user in 0..<10 {
                    group.addTask {
                        try await withIdentity(Identity("user\(user)@contoso.com")) {
                            let entry = try await client.append("request-\(user)", "text")
                            return entry.servedAs.name
                        }
                    }
                }
                try await process.logs("An entry is to be written", times: 10)
                process.child.send(SIGTERM)
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
        }
        #expect(answered.count == 10)
        #expect(await process.child.end() == 0)
        let lines = await process.logged.filter { $0.contains("An entry was written") }
        #expect(lines.count == 10)
        for user in 0..<10 {
            #expect(
                lines.count {
                    $0.contains("request=request-\(user)") && $0.contains("identity=user\(user)@contoso.com")
                } == 1
            )
        }
    }

    @Test("one with plain Dispatch and a thread-local answers as another, or as nobody at all")
    func plain() async throws {
        let ledger = try TestedLedger()
        defer { ledger.remove() }
        let process = try await LedgerProcess(ledger, program: "plain-ledger")
        let wrong = try await process.withClient { client in
            try await client.wrongAnswers(users: 50, entries: 6, waitsForReceipts: false)
        }
        #expect(wrong > 0)
        process.child.send(SIGTERM)
        #expect(await process.child.end() == 0)
    }
}
