import Foundation
import GRDB
import JobQueue
import MultiIdentity
import SignedIdentity
import Testing

@Suite("What an operator asks of a ledger's database", .timeLimit(.minutes(2))) struct OperatorCommandsTests {
    private func ledger(_ arguments: String...) async throws -> (code: Int32, lines: [String]) {
        let child = try ChildProcess("ledger", arguments)
        var lines: [String] = []
        for await line in child.lines { lines.append(line) }
        return (await child.end(), lines)
    }

    @Test("a database that is not there is an error, and is not made")
    func notThere() async throws {
        let tested = try TestedLedger()
        defer { tested.remove() }
        for command in ["check", "jobs"] {
            #expect(try await ledger(command, "--database", tested.database).code != 0)
            #expect(!FileManager.default.fileExists(atPath: tested.database))
        }
    }

    @Test("which jobs were put aside and why; one is begun anew as its owner, and old ones go")
    func jobs() async throws {
        let tested = try TestedLedger()
        defer { tested.remove() }
        let pool = try DatabasePool(path: tested.database)
        try JobQueue.prepare(pool)
        let queue = JobQueue(keys: try KeyRing(parsing: "jobs:\(TestedLedger.jobKey)"))
        let id = try await withIdentity(Identity("ada@contoso.com")) {
            try await pool.write { db in
                try queue.enqueue(NewJob("look", idempotencyKey: "2"), in: db)
                try db.execute(sql: "UPDATE jobs SET state = 'done', finished_at = 1")
                return try queue.enqueue(NewJob("look", idempotencyKey: "1"), in: db)
            }
        }
        try await pool.write { db in
            try db.execute(
                sql: "UPDATE jobs SET state = 'dead', finished_at = 1, last_error = 'broken' WHERE id = ?",
                arguments: [id]
            )
        }
        let listed = try await ledger("jobs", "--database", tested.database)
        #expect(listed.code == 0)
        #expect(listed.lines.first?.contains(id) == true && listed.lines.first?.contains("broken") == true)
        #expect(listed.lines.last == #"{"dead":1,"done":1,"running":0,"waiting":0}"#)
        let retried = try await ledger("jobs", "--database", tested.database, "--retry", id, "--purge", "1")
        #expect(retried.code == 0)
        #expect(retried.lines == [#"{"dead":0,"done":0,"running":0,"waiting":1}"#])
        #expect(try await ledger("jobs", "--database", tested.database, "--retry", id).code != 0)
        let owner = try await pool.read { db in try String.fetchOne(db, sql: "SELECT owner_name FROM jobs") }
        #expect(owner == "ada@contoso.com")
    }
}
