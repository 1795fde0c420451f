import Dispatch
import GRDB
import JobQueue
import MultiIdentity
import MultiIdentityTesting
import Synchronization
import Testing

@Suite("A job runs as the identity that enqueued it") struct OwnersOfJobsTests {
    static let owners: [Identity?] = [nil, .nobody, try? Identity("ada@contoso.com"), try? Identity("Ada Ü \"x\" ✓")]

    @Test("an identity, nobody, or with none bound, whichever identity started the workers", arguments: owners)
    func owner(_ identity: Identity?) async throws {
        let tested = try TestedQueue(ownerless: .taken)
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: identity)
        let seen = Mutex<[JobOwner]>([])
        try await withIdentity(Identity("operator@contoso.com")) {
            try await tested.work(
                ["look": { run in seen.withLock { $0 += [JobOwner.current, run.job.owner] } }],
                until: { $0.done == 1 }
            )
        }
        #expect(seen.withLock { $0 } == [JobOwner(identity), JobOwner(identity)])
        #expect(seen.withLock { $0[0].columns.name.utf8.elementsEqual(identity?.name.utf8 ?? "".utf8) })
    }

    @Test("with who acts for its owner, in their order") func acted() async throws {
        let tested = try TestedQueue()
        let ada = try Identity("ada@contoso.com").acted(by: Identity("support")).acted(by: Identity("robot"))
        let seen = Mutex<[String]>([])
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: ada)
        try tested.enqueue(NewJob("look", idempotencyKey: "2"), as: ada.withoutActor)
        try await tested.work(
            ["look": { _ in seen.withLock { $0.append(Identity.current?.actor?.description ?? "itself") } }],
            until: { $0.open == 0 }
        )
        #expect(seen.withLock { $0.sorted() } == ["itself", "robot for support"])
    }

    @Test("a hundred users' jobs, a few at a time, with hops inside: none as another")
    func manyOwners() async throws {
        let tested = try TestedQueue()
        for user in 0..<100 {
            for job in 0..<3 {
                try tested.enqueue(
                    NewJob("look", idempotencyKey: "\(job)", payload: Array("\(user)".utf8)),
                    as: Identity("user\(user)")
                )
            }
        }
        let queue = IdentityQueue(label: "hop", attributes: .concurrent)
        let wrong = Mutex(0)
        try await tested.work(
            [
                "look": { run in
                    let user = "user" + String(decoding: run.job.payload, as: UTF8.self)
                    await Task.yield()
                    let seen = await withCheckedContinuation { continuation in
                        queue.async { continuation.resume(returning: Identity.current?.name) }
                    }
                    if seen != user || Identity.current?.name != user { wrong.withLock { $0 += 1 } }
                }
            ],
            until: { $0.done == 300 }
        )
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test("enqueued in a write that suspends, too, which runs on a thread of the database")
    func asynchronousWrite() async throws {
        let tested = try TestedQueue()
        let (pool, queue) = (tested.pool, tested.queue)
        let ada = try Identity("ada@contoso.com")
        try await withIdentity(ada) {
            _ = try await pool.write { db in try queue.enqueue(NewJob("look", idempotencyKey: "1"), in: db) }
        }
        let kind = try await pool.read { db in try String.fetchOne(db, sql: "SELECT owner_name FROM jobs") }
        #expect(kind == ada.name)
    }

    @Test("is there exactly if the transaction commits that it was enqueued in")
    func rollback() throws {
        struct Change: Error {}
        let tested = try TestedQueue()
        #expect(throws: Change.self) {
            try withIdentity(Identity("ada@contoso.com")) {
                try tested.pool.write { db in
                    try tested.queue.enqueue(NewJob("look", idempotencyKey: "1"), in: db)
                    throw Change()
                }
            }
        }
        #expect(try tested.accounts == JobQueue.Accounts())
    }

    @Test("where none is bound, enqueuing throws unless the queue takes such jobs; nobody's are always taken")
    func ownerless() throws {
        let tested = try TestedQueue()
        let error = #expect(throws: JobQueueError.self) {
            try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: nil)
        }
        #expect(error?.code == .ownerless)
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: .nobody)
        #expect(try tested.accounts.waiting == 1)
    }

    @Test("once for each owner, kind and key, however the owner is spelled")
    func idempotency() throws {
        let tested = try TestedQueue(ownerless: .taken)
        let job = NewJob("look", idempotencyKey: "1", payload: [1])
        let id = try tested.enqueue(job, as: Identity("ada@contoso.com"))
        #expect(try tested.enqueue(job, as: Identity("ADA@contoso.com")) == id)
        let others: [Identity?] = try [Identity("grace@contoso.com"), .nobody, nil]
        for other in others { #expect(try tested.enqueue(job, as: other) != id, "no owner takes another's key") }
        #expect(try tested.enqueue(NewJob("see", idempotencyKey: "1"), as: Identity("ada@contoso.com")) != id)
        #expect(try tested.accounts.waiting == 5)
        let error = #expect(throws: JobQueueError.self) {
            try tested.enqueue(NewJob("look", idempotencyKey: "1", payload: [2]), as: Identity("ada@contoso.com"))
        }
        #expect(error?.code == .keyInUse)
    }

    @Test(
        "is refused where it could not be distinguished from another",
        arguments: [
            NewJob("", idempotencyKey: "1"), NewJob("look", idempotencyKey: ""), NewJob("lo ok", idempotencyKey: "1"),
            NewJob("look", idempotencyKey: "a\0"), NewJob("look", idempotencyKey: String(repeating: "k", count: 129)),
            NewJob("look", idempotencyKey: "1", maximumAttempts: 0),
            NewJob("look", idempotencyKey: "1", delay: .seconds(-1)),
        ]
    )
    func invalid(_ job: NewJob) throws {
        let tested = try TestedQueue()
        let error = #expect(throws: JobQueueError.self) { try tested.enqueue(job, as: .nobody) }
        #expect(error?.code == .invalidJob)
    }

    @Test("is refused with a payload of more than a megabyte")
    func tooLarge() throws {
        let tested = try TestedQueue()
        var job = NewJob("look", idempotencyKey: "1", payload: Array(repeating: 0, count: 1 << 20))
        try tested.enqueue(job, as: .nobody)
        job.payload.append(0)
        let error = #expect(throws: JobQueueError.self) { try tested.enqueue(job, as: .nobody) }
        #expect(error?.code == .invalidJob)
    }
}
