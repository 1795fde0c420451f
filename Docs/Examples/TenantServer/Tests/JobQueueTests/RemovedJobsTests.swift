import Foundation
import GRDB
import JobQueue
import MultiIdentity
import Synchronization
import Testing

@Suite("All jobs of an owner are removed") struct RemovedJobsTests {
    @Test("in whatever state and spelling, and nobody else's", arguments: [Identity.nobody, try? Identity("grace")])
    func others(_ other: Identity?) async throws {
        let tested = try TestedQueue()
        for number in 0..<20 {
            let job = NewJob(
                "look",
                idempotencyKey: "\(number)",
                delay: number.isMultiple(of: 2) ? .zero : .seconds(60)
            )
            try tested.enqueue(job, as: Identity(number % 3 == 0 ? "Ada@Contoso.com" : "ada@contoso.com"))
            try tested.enqueue(job, as: other)
        }
        try await tested.work(["look": { _ in }], until: { $0.done == 20 })
        let removed = try await tested.pool.write { db in
            try JobQueue.remove(of: .identity(Identity("ADA@contoso.com")), in: db)
        }
        #expect(removed == 20)
        #expect(try tested.accounts == JobQueue.Accounts(waiting: 10, done: 10))
        #expect(
            try await tested.pool.write { db in try JobQueue.remove(of: .identity(Identity("ada@contoso.com")), in: db)
            } == 0
        )
    }

    @Test("while one of them runs: it cannot end, and what it wrote with its end is undone") func running() async throws
    {
        let tested = try TestedQueue()
        let pool = tested.pool
        try await pool.write { db in try db.execute(sql: "CREATE TABLE effects (owner TEXT NOT NULL)") }
        let ada = try Identity("ada@contoso.com")
        try tested.enqueue(NewJob("effect", idempotencyKey: "1"), as: ada)
        let refused = Mutex<[JobQueueError.Code]>([])
        try await tested.work(
            [
                "effect": { run in
                    _ = try await pool.write { db in try JobQueue.remove(of: run.job.owner, in: db) }
                    do {
                        try await pool.write { db in
                            try db.execute(
                                sql: "INSERT INTO effects VALUES (?)",
                                arguments: [run.job.owner.columns.name]
                            )
                            try run.finish(in: db)
                        }
                    } catch let error as JobQueueError {
                        refused.withLock { $0.append(error.code) }
                        throw error
                    }
                }
            ],
            until: { $0 == JobQueue.Accounts() && refused.withLock { !$0.isEmpty } }
        )
        #expect(refused.withLock { $0 } == [.leaseLost])
        #expect(try await pool.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM effects") } == 0)
    }

    @Test("and the database's files hold nothing of them") func bytes() async throws {
        let tested = try TestedQueue()
        try await tested.pool.write { db in try JobQueue.overwriteRemoved(in: db) }
        for number in 0..<500 {
            let payload = Array("secret of ada \(number)".utf8)
            let job = NewJob("look", idempotencyKey: "\(number * 7_919 % 500)-ada", payload: payload)
            try tested.enqueue(job, as: Identity(["ada@contoso.com", "grace@contoso.com"][number % 2]))
        }
        func files() throws -> [Data] {
            try FileManager.default.contentsOfDirectory(at: tested.folder, includingPropertiesForKeys: nil).map {
                try Data(contentsOf: $0)
            }
        }
        let names = ["ada@contoso.com", "grace@contoso.com"].map { Data($0.utf8) }
        #expect(try files().contains { $0.firstRange(of: names[0]) != nil })
        try await tested.pool.write { db in
            _ = try JobQueue.remove(of: .identity(Identity("ada@contoso.com")), in: db)
        }
        try JobQueue.forgetRemoved(in: tested.pool)
        #expect(try files().allSatisfy { $0.firstRange(of: names[0]) == nil })
        #expect(try files().contains { $0.firstRange(of: names[1]) != nil })
        #expect(try tested.accounts.waiting == 250)
    }
}
