import GRDB
import JobQueue
import MultiIdentity
import Testing

@Suite("A job is one worker's while its lease lasts") struct LeasesTests {
    let tested: TestedQueue
    private var store: SQLiteJobStore { SQLiteJobStore(tested.pool) }

    init() throws {
        tested = try TestedQueue()
        try tested.tamper("CREATE TABLE effects (job TEXT)")
    }

    private func claim() throws -> JobRun? {
        let claim = try tested.pool.write { [queue = tested.queue] db in try queue.claim(leaseFor: .seconds(30), in: db)
        }
        if case .run(let run) = claim { return run }
        return nil
    }

    private func takeEffect(_ run: JobRun) throws {
        try tested.pool.write { db in
            try db.execute(sql: "INSERT INTO effects VALUES (?)", arguments: [run.job.id])
            try run.finish(in: db)
        }
    }

    private var effects: Int {
        get throws { try tested.pool.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM effects") ?? -1 } }
    }

    @Test("nobody else gets it before, and somebody does after")
    func lease() throws {
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: Identity("ada@contoso.com"))
        let first = try #require(try claim())
        #expect(first.job.attempt == 1)
        #expect(try claim() == nil)
        tested.pass(.milliseconds(29_999))
        #expect(try claim() == nil)
        tested.pass(.milliseconds(1))
        let second = try #require(try claim())
        #expect(second.job.attempt == 2)
        #expect(second.job.owner == first.job.owner)
    }

    @Test("a worker that lost its lease has no effect: its transaction is undone")
    func fencing() throws {
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: Identity("ada@contoso.com"))
        let slow = try #require(try claim())
        tested.pass(.seconds(31))
        let quick = try #require(try claim())
        let error = #expect(throws: JobQueueError.self) { try takeEffect(slow) }
        #expect(error?.code == .leaseLost)
        #expect(try effects == 0)
        try takeEffect(quick)
        #expect(throws: JobQueueError.self) { try takeEffect(slow) }
        #expect(throws: JobQueueError.self) { try takeEffect(quick) }
        #expect(try effects == 1)
        #expect(try tested.accounts == JobQueue.Accounts(waiting: 0, running: 0, done: 1, dead: 0))
    }

    @Test("one that gives signs of life keeps it")
    func renewal() async throws {
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: Identity("ada@contoso.com"))
        let run = try #require(try claim())
        for _ in 0..<5 {
            tested.pass(.seconds(20))
            #expect(try claim() == nil)
            try await run.renew(for: .seconds(30), in: store)
        }
        try takeEffect(run)
        try await run.renew(for: .seconds(30), in: store)  // done is not lost
    }

    @Test("a job that takes its process down is put aside in the end")
    func poison() throws {
        try tested.enqueue(NewJob("crash", idempotencyKey: "1", maximumAttempts: 3), as: Identity("ada@contoso.com"))
        for attempt in 1...3 {
            #expect(try claim()?.job.attempt == attempt)
            tested.pass(.seconds(30))
        }
        #expect(try claim() == nil)
        #expect(try tested.deadLetters.first?.reason.contains("begun 3 times") == true)
    }

    @Test("given back, it counts as not begun; failed, it waits")
    func ends() async throws {
        struct Failure: Error {}
        try tested.enqueue(NewJob("look", idempotencyKey: "1", maximumAttempts: 2), as: Identity("ada@contoso.com"))
        let first = try #require(try claim())
        try await first.giveBack(in: store)
        let second = try #require(try claim())
        #expect(second.job.attempt == 1)
        #expect(
            try await second.fail(because: Failure(), retryAfter: .seconds(5), in: store) == .triedAgain
        )
        tested.pass(.milliseconds(4_999))
        #expect(try claim() == nil)
        tested.pass(.milliseconds(1))
        let third = try #require(try claim())
        #expect(third.job.attempt == 2)
        func fail() async throws -> JobRun.Outcome {
            try await third.fail(because: Failure(), retryAfter: .seconds(5), in: store)
        }
        #expect(try await fail() == .putAside)
        #expect(try tested.accounts.dead == 1)
        #expect(try await fail() == .anothers)
        #expect(throws: JobQueueError.self) { try takeEffect(third) }
    }

    @Test("jobs are begun in the order in which they are due, and none before")
    func order() throws {
        let ada = try Identity("ada@contoso.com")
        try tested.enqueue(NewJob("look", idempotencyKey: "late", delay: .seconds(10)), as: ada)
        try tested.enqueue(NewJob("look", idempotencyKey: "first"), as: ada)
        tested.pass(.seconds(1))
        try tested.enqueue(NewJob("look", idempotencyKey: "second"), as: ada)
        #expect(try [claim()?.job.idempotencyKey, claim()?.job.idempotencyKey] == ["first", "second"])
        #expect(try claim() == nil)
        tested.pass(.seconds(9))
        #expect(try claim()?.job.idempotencyKey == "late")
    }

    @Test("what is due is found by an index, however many are done")
    func index() throws {
        let plan = try tested.pool.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    EXPLAIN QUERY PLAN
                    SELECT id FROM jobs WHERE finished_at IS NULL AND due_at <= 1 ORDER BY due_at, id LIMIT 1
                    """
            ).map { row in row["detail"] as String }
        }
        #expect(plan == ["SEARCH jobs USING INDEX jobs_due (due_at<?)"])
    }
}
