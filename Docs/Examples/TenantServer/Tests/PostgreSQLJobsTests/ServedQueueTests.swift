import JobQueue
import MultiIdentity
import MultiIdentityLease
import PostgreSQLIdentity
import PostgreSQLJobs
import Testing

@Suite("Jobs on PostgreSQL", .timeLimit(.minutes(3))) struct ServedQueueTests {
    let served: ServedQueue
    let ada: Identity
    let grace: Identity

    init() throws {
        served = try ServedQueue()
        (ada, grace) = (try Identity("Ada@contoso.com"), try Identity("grace@contoso.com"))
    }

    @Test("are seen by their owner alone, in any spelling, and changed by no other")
    func owners() async throws {
        for owner in [ada, grace, .nobody] { try await served.enqueue("1", as: owner) }
        for owner in [try Identity("ADA@contoso.com"), grace, .nobody] {
            try await withIdentity(owner) {
                let seen = try await served.database.query("SELECT owner_key FROM jobs").rows.map { $0["owner_key"] }
                #expect(seen == [owner.caselessName])
            }
        }
        try await withIdentity(grace) {
            let stolen = try await served.database.query("UPDATE jobs SET state = 'waiting' WHERE owner_key LIKE 'a%'")
            #expect(stolen.count == 0)
            await #expect(throws: PostgreSQLError.self) {
                try await served.database.query("UPDATE jobs SET owner_key = 'grace@contoso.com'")
            }
        }
        await #expect(throws: LeaseError.self) { try await served.enqueue("1", as: nil) }
        let connection = try await served.connection(as: "app")
        defer { connection.close() }
        #expect(try await connection.query("SELECT id FROM jobs WHERE owner_kind <> 'nobody'").count == 0)
    }

    @Test("are once what is enqueued twice with a key; another payload is refused")
    func twice() async throws {
        let first = try await served.enqueue("1", [1], as: ada)
        #expect(try await served.enqueue("1", [1], as: ada) == first)
        let error = await #expect(throws: JobQueueError.self) { try await served.enqueue("1", [2], as: ada) }
        #expect(error?.code == .keyInUse)
        #expect(try await served.enqueue("1", [2], as: grace) != first)
    }

    @Test("are claimed past what another worker has locked, in the order in which they are due")
    func locked() async throws {
        for number in 1...3 {
            try await served.enqueue("\(number)", as: ada)
            served.pass(milliseconds: 1)
        }
        let other = try await served.connection(as: "job_worker")
        defer { other.close() }
        try await other.query("BEGIN")
        try await other.query("SELECT id FROM jobs ORDER BY due_at LIMIT 1 FOR UPDATE")
        #expect(try await served.run()?.job.idempotencyKey == "2")
        try await other.query("ROLLBACK")
        #expect(try await served.run()?.job.idempotencyKey == "1")
    }

    @Test("take effect once: who lost the lease, or is another, ends none")
    func fencing() async throws {
        try await served.enqueue("1", as: ada)
        let slow = try #require(try await served.run())
        #expect(try await served.run() == nil)
        served.pass(milliseconds: 30_000)
        let quick = try #require(try await served.run())
        #expect(quick.job.owner == .identity(ada) && quick.job.attempt == 2)
        func finish(_ run: JobRun, as identity: Identity) async throws {
            try await withIdentity(identity) {
                try await served.database.withTransaction { transaction in try await run.finish(in: transaction) }
            }
        }
        for (run, identity) in [(slow, ada), (quick, grace)] {
            let error = await #expect(throws: JobQueueError.self) { try await finish(run, as: identity) }
            #expect(error?.code == .leaseLost)
        }
        try await finish(quick, as: ada)
        #expect(try await served.accounts == JobQueue.Accounts(done: 1))
    }

    @Test("run as nobody at all where a row was changed from outside, or the account was made anew")
    func sealed() async throws {
        try await served.enqueue("1", as: ada)
        try await served.tamper("UPDATE jobs SET owner_name = 'grace@contoso.com', owner_key = 'grace@contoso.com'")
        guard case .putAside(_, let reason) = try await served.claim() else { return #expect(Bool(false)) }
        #expect(reason.contains("seal"))
        try await served.enqueue("2", as: ada)
        served.makeAccountsAnew()
        guard case .putAside(_, let reason) = try await served.claim() else { return #expect(Bool(false)) }
        #expect(reason.contains("made anew"))
        #expect(try await served.accounts == JobQueue.Accounts(dead: 2))
    }

    @Test("are gone with their owner, and what runs of them cannot end")
    func removed() async throws {
        for owner in [ada, grace] { try await served.enqueue("1", as: owner) }
        let runs = [try await served.run(), try await served.run()].compactMap { $0 }
        try await withIdentity(ada) {
            let removed = try await served.database.withTransaction { transaction in
                try await JobQueue.remove(of: .current, in: transaction)
            }
            #expect(removed == 1)
            let run = try #require(runs.first { $0.job.owner == .identity(ada) })
            await #expect(throws: JobQueueError.self) {
                try await served.database.withTransaction { transaction in try await run.finish(in: transaction) }
            }
        }
        #expect(try await served.accounts == JobQueue.Accounts(running: 1))
    }

    @Test(
        "that were put aside are listed, and begun anew as their owner, by the workers' role and by none that sees fewer"
    )
    func deadLetters() async throws {
        try await served.enqueue("1", as: ada)
        try await served.tamper("UPDATE jobs SET state = 'dead', finished_at = 1, last_error = 'no note'")
        try await served.enqueue("2", as: grace)
        let workers = try await served.connection(as: "job_worker")
        defer { workers.close() }
        #expect(try await JobQueue.areAllSeen(in: workers))
        let letter = try #require(try await JobQueue.deadLetters(in: workers).first)
        #expect(letter.kind == "look" && letter.reason == "no note")
        #expect(try await JobQueue.beginAnew(letter.id, in: workers))
        #expect(try await !JobQueue.beginAnew(letter.id, in: workers))
        #expect(try await JobQueue.accounts(in: workers) == JobQueue.Accounts(waiting: 2))
        let tenants = try await served.connection(as: "app")
        defer { tenants.close() }
        #expect(try await !JobQueue.areAllSeen(in: tenants))
    }

    @Test("that were done long ago are removed by the workers' role, and others are not")
    func purged() async throws {
        for key in ["1", "2", "3"] { try await served.enqueue(key, as: ada) }
        try await served.tamper("UPDATE jobs SET state = 'done', finished_at = 1 WHERE idempotency_key = '1'")
        try await served.tamper("UPDATE jobs SET state = 'done', finished_at = 9 WHERE idempotency_key = '2'")
        let workers = try await served.connection(as: "job_worker")
        defer { workers.close() }
        #expect(try await JobQueue.removeDone(before: 5, in: workers) == 1)
        #expect(try await workers.query("DELETE FROM jobs WHERE state <> 'done'").count == 0)
        #expect(try await JobQueue.accounts(in: workers) == JobQueue.Accounts(waiting: 1, done: 1))
    }
}
