import Foundation
import GRDB
import JobQueue
import MultiIdentity
import Testing

@Suite("Jobs outlive the process that enqueued them, however it ends", .serialized) struct KilledProcessTests {
    @Test("eight processes killed in the middle: no job is lost, none takes effect twice, none runs as another")
    func killed() async throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let tested = try TestedQueue()
        let database = tested.folder.appending(path: "jobs.sqlite").path()
        var announced: [String: String] = [:]
        var interrupted = 0
        for round in 0..<32 where round < 8 || interrupted == 0 {
            let child = try ChildProcess(
                "job-runner",
                arguments(database, jobs: 300, prefix: "round\(round)"),
                killedAfter: Int.random(in: 5...150, using: &random)
            )
            for await line in child.lines {
                let parts = line.split(separator: "\t").map(String.init)
                try #require(parts.count == 3)
                announced[parts[0]] = parts[2]
            }
            #expect(await child.end() == -SIGKILL)
            interrupted += try tested.accounts.running
        }
        #expect(interrupted > 0, "no kill hit a running job")

        let last = try ChildProcess("job-runner", arguments(database, jobs: 0, prefix: "last") + ["--until-done"])
        for await _ in last.lines {}
        #expect(await last.end() == 0)
        try check(tested, announced: announced)
    }

    private func check(_ tested: TestedQueue, announced: [String: String]) throws {
        let accounts = try tested.accounts
        #expect(accounts.open == 0)
        #expect(try tested.deadLetters == [])
        #expect(accounts.done >= announced.count)
        try tested.pool.read { db in
            for row in try Row.fetchAll(db, sql: "SELECT * FROM jobs") {
                let owner = try #require(
                    JobOwner(JobOwner.Columns(kind: row["owner_kind"], name: row["owner_name"], key: row["owner_key"]))
                )
                if let announced = announced[row["id"]] { #expect(owner.description == announced) }
            }
            let ids = Set(try String.fetchAll(db, sql: "SELECT id FROM jobs"))
            #expect(ids.isSuperset(of: announced.keys), "an announced job is not there")

            let wrong = """
                SELECT COUNT(*) FROM effects JOIN jobs ON job = id
                WHERE seen_kind <> owner_kind OR seen_name <> owner_name OR seen_key <> owner_key
                """
            #expect(try Int.fetchOne(db, sql: wrong) == 0, "jobs ran as another")
            let strangers = "SELECT COUNT(*) FROM effects WHERE job NOT IN (SELECT id FROM jobs)"
            #expect(try Int.fetchOne(db, sql: strangers) == 0)
            for (kind, numbers) in [("exact", 1...1), ("repeated", 1...100)] {
                let counts = try Int.fetchAll(
                    db,
                    sql: """
                        SELECT (SELECT COUNT(*) FROM effects WHERE job = id) FROM jobs WHERE kind = ?
                        """,
                    arguments: [kind]
                )
                #expect(!counts.isEmpty && counts.allSatisfy { numbers ~= $0 }, "\(kind): \(Set(counts))")
            }
        }
    }

    private func arguments(_ database: String, jobs: Int, prefix: String) -> [String] {
        ["--database", database, "--jobs", "\(jobs)", "--prefix", prefix, "--keys", "one:\(TestedQueue.key)"]
    }

    @Test("a process that is asked to stop ends what it has begun, and leaves the rest")
    func stopped() async throws {
        let tested = try TestedQueue()
        let database = tested.folder.appending(path: "jobs.sqlite").path()
        let child = try ChildProcess("job-runner", arguments(database, jobs: 200, prefix: "stopped"))
        var lines = 0
        for await _ in child.lines {
            lines += 1
            if lines == 50 { child.send(SIGTERM) }
        }
        #expect(await child.end() == 0)
        let accounts = try tested.accounts
        #expect(accounts.running == 0 && accounts.dead == 0, "\(accounts)")
        #expect(accounts.waiting + accounts.done == 200, "enqueuing ends on its own; running does not wait for it")
    }
}
