import GRDB
import JobQueue
import MultiIdentity
import Synchronization
import Testing

@Suite("A job is of the account that enqueued it") struct EnrolmentsTests {
    /// The enrolled accounts, each with a number that no account had before.
    private final class Registry: Sendable {
        struct Unreadable: Error {}
        private let accounts = Mutex<(numbers: [Identity: Int], last: Int, isReadable: Bool)>(([:], 0, true))

        var isReadable: Bool {
            get { accounts.withLock { $0.isReadable } }
            set { accounts.withLock { $0.isReadable = newValue } }
        }

        func enroll(_ identity: Identity) {
            accounts.withLock { accounts in
                accounts.last += 1
                accounts.numbers[identity] = accounts.last
            }
        }

        func remove(_ identity: Identity) { accounts.withLock { $0.numbers[identity] = nil } }

        @Sendable func number(of identity: Identity) throws -> String? {
            try accounts.withLock { accounts in
                guard accounts.isReadable else { throw Unreadable() }
                return accounts.numbers[identity].map { "\($0)" }
            }
        }
    }

    private let registry = Registry()
    private let tested: TestedQueue
    private let ada: Identity
    private let ran = Ran()

    private final class Ran: Sendable {
        let keys = Mutex<[String]>([])
    }

    init() throws {
        tested = try TestedQueue(enrolment: registry.number)
        ada = try Identity("ada@contoso.com")
        registry.enroll(ada)
    }

    private func work(on queue: JobQueue? = nil) async throws {
        let handler: JobWorkers.Handler = { [ran] run in ran.keys.withLock { $0.append(run.job.idempotencyKey) } }
        try await tested.work(["look": handler], on: queue, until: { $0.open == 0 })
    }

    private func enqueue(_ key: String, _ payload: [UInt8] = []) throws -> String {
        try tested.enqueue(NewJob("look", idempotencyKey: key, payload: payload), as: ada)
    }

    @Test("and does not run as a later one of the same name, nor where there is none", arguments: [true, false])
    func madeAnew(_ isMadeAnew: Bool) async throws {
        _ = try enqueue("former")
        registry.remove(ada)
        if isMadeAnew {
            registry.enroll(ada)
            _ = try enqueue("present")
        }
        try await work()
        #expect(ran.keys.withLock { $0 } == (isMadeAnew ? ["present"] : []))
        #expect(try tested.deadLetters.map(\.reason) == ["its owner's account is gone, or was made anew since"])
    }

    @Test("and cannot be given to a later one by a change of its row") func tampered() async throws {
        _ = try enqueue("former")
        registry.enroll(ada)
        try tested.tamper("UPDATE jobs SET owner_enrolment = '2'")
        try await work()
        #expect(ran.keys.withLock { $0 } == [])
        #expect(try tested.deadLetters.map { $0.reason.contains("seal") } == [true])
    }

    @Test("and takes no key from a later one") func keys() async throws {
        let former = try enqueue("1", [1])
        registry.enroll(ada)
        let present = try enqueue("1", [2])
        #expect(former != present)
        #expect(try enqueue("1", [2]) == present)
        try await work()
        #expect(try tested.accounts == JobQueue.Accounts(done: 1, dead: 1))
    }

    @Test("and waits where nobody can say which account there is") func unknown() throws {
        _ = try enqueue("1")
        registry.isReadable = false
        #expect(throws: Registry.Unreadable.self) { try enqueue("2") }
        #expect(throws: Registry.Unreadable.self) {
            try tested.pool.write { [queue = tested.queue] db in try queue.claim(leaseFor: .seconds(30), in: db) }
        }
        #expect(try tested.accounts == JobQueue.Accounts(waiting: 1))
        registry.isReadable = true
        let claim = try tested.pool.write { [queue = tested.queue] db in
            try queue.claim(leaseFor: .seconds(30), in: db)
        }
        guard case .run(let run) = claim else { return #expect(Bool(false), "\(claim)") }
        #expect(run.job.attempt == 1)
    }

    @Test("and is not taken where there is none; nobody needs one") func none() throws {
        registry.remove(ada)
        let error = #expect(throws: JobQueueError.self) { try enqueue("1") }
        #expect(error?.code == .notEnrolled)
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: .nobody)
        #expect(try tested.accounts.waiting == 1)
    }
}
