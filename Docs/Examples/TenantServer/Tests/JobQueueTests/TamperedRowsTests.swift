import Foundation
import GRDB
import JobQueue
import MultiIdentity
import Synchronization
import Testing

@Suite("A row that was changed from outside runs as nobody at all") struct TamperedRowsTests {
    @Test(
        "whatever was changed that decides what runs, and as whom",
        arguments: [
            "owner_name = 'grace@contoso.com', owner_key = 'grace@contoso.com'",
            "owner_kind = 'nobody', owner_name = '', owner_key = ''",
            "owner_kind = 'unset', owner_name = '', owner_key = ''",
            "owner_name = 'ADA@contoso.com'",  // the same identity, but not what was sealed
            "owner_key = 'grace@contoso.com'", "owner_enrolment = '1'", "owner_actors = 'grace@contoso.com'",
            "owner_actors = ' '", "owner_name = ' ada', owner_key = ' ada'",
            "kind = 'erase'", "payload = x'02'", "idempotency_key = '2'", "maximum_attempts = 900",
            "enqueued_at = enqueued_at + 1", "id = 'another'", "seal = x''", "seal = zeroblob(32)",
            "seal_key_id = 'two'",
            "seal_key_id = ''",
            // SQLite keeps values of other types than the columns'.
            "payload = 7", "maximum_attempts = 'x'", "enqueued_at = 'x'", "attempt = 9223372036854775807",
            "owner_name = x'ff'", "seal = 1", "id = x'ff'", "kind = x'ff'", "seal_key_id = x'ff'",
        ]
    )
    func tampered(_ change: String) async throws {
        let tested = try TestedQueue(ownerless: .taken)
        try tested.enqueue(NewJob("look", idempotencyKey: "1", payload: [1]), as: Identity("ada@contoso.com"))
        try tested.tamper("UPDATE jobs SET \(change)")
        let runs = Mutex(0)
        let handler: JobWorkers.Handler = { _ in runs.withLock { $0 += 1 } }
        try await tested.work(["look": handler, "erase": handler], until: { $0.open == 0 })
        #expect(runs.withLock { $0 } == 0)
        let letters = try tested.deadLetters
        #expect(letters.count == 1)
        #expect(letters.first.map { $0.reason.contains("seal") || $0.reason.contains("owner") } == true, "\(letters)")
    }

    @Test("with another row's owner and seal, too")
    func swapped() async throws {
        let tested = try TestedQueue()
        let victim = try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: Identity("ada@contoso.com"))
        let attacker = try tested.enqueue(
            NewJob("look", idempotencyKey: "2", payload: [6]),
            as: Identity("eve@contoso.com")
        )
        try tested.tamper(
            """
            UPDATE jobs SET (owner_name, owner_key, seal) =
                (SELECT owner_name, owner_key, seal FROM jobs WHERE id = ?)
            WHERE id = ?
            """,
            [victim, attacker]
        )
        let ran = Mutex<[String]>([])
        try await tested.work(["look": { run in ran.withLock { $0.append(run.job.id) } }], until: { $0.open == 0 })
        #expect(ran.withLock { $0 } == [victim])
        #expect(try tested.deadLetters.map(\.id) == [attacker])
    }

    @Test("and a schema that holds no owner which is none: its checks refuse it")
    func checks() throws {
        let tested = try TestedQueue()
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: Identity("ada@contoso.com"))
        for change in [
            "owner_kind = 'root'", "owner_name = ''", "owner_kind = 'nobody'", "owner_key = ''", "state = 'lost'",
            "state = 'running'", "state = 'done'", "finished_at = 1", "lease_token = 'x'", "owner_name = NULL",
            "attempt = -1",
        ] {
            #expect(throws: DatabaseError.self, "\(change)") { try tested.tamper("UPDATE jobs SET \(change)") }
        }
    }

    @Test("a key is replaced while jobs wait: old seals hold until the old key goes")
    func rotation() async throws {
        let tested = try TestedQueue()
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: Identity("ada@contoso.com"))
        let both = try tested.queue(keys: "two:\(TestedQueue.other),one:\(TestedQueue.key)")
        try tested.enqueue(NewJob("look", idempotencyKey: "2"), as: Identity("ada@contoso.com"), on: both)
        try await tested.work(["look": { _ in }], on: both, until: { $0.done == 2 })
        try tested.enqueue(NewJob("look", idempotencyKey: "3"), as: Identity("ada@contoso.com"))
        let onlyNew = try tested.queue(keys: "two:\(TestedQueue.other)")
        try await tested.work(["look": { _ in }], on: onlyNew, until: { $0.open == 0 })
        let letter = try #require(try tested.deadLetters.first)
        #expect(letter.reason.contains("not in the ring"))
        // Put the key back, have it begun anew, and it runs.
        try await tested.pool.write { db in _ = try JobQueue.beginAnew(letter.id, in: db) }
        try await tested.work(["look": { _ in }], on: both, until: { $0.done == 3 })
    }
}
