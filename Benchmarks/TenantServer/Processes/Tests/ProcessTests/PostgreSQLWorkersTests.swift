import DatabaseServers
import Foundation
import JobQueue
import MultiIdentity
import PostgreSQLIdentity
import PostgreSQLJobs
import Testing

@Suite("Two worker processes on one PostgreSQL", .timeLimit(.minutes(5))) struct PostgreSQLWorkersTests {
    /// The effects of jobs: the owner that the program saw, the one that the server saw, and the process.
    private static let effects = """
        CREATE TABLE effects (
            job text NOT NULL, idempotency_key text NOT NULL, attempt integer NOT NULL,
            seen_kind text NOT NULL, seen_name text NOT NULL, seen_key text NOT NULL,
            owner text NOT NULL DEFAULT coalesce(identity.present(), ''),
            process text NOT NULL DEFAULT current_setting('application_name')
        );
        GRANT INSERT ON effects TO app;
        ALTER TABLE effects ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own ON effects TO app WITH CHECK (owner = coalesce((SELECT identity.present()), ''));
        """

    @Test("one killed four times, one that goes on: no job is lost, none takes effect twice, each is its owner's")
    func killed() async throws {
        let seed = UInt64.random(in: 1...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let servers = try DatabaseServers(schema: JobQueue.postgreSQLSchema + Self.effects)
        let steady = try ChildProcess("job-runner", arguments(servers, process: "steady", jobs: 200))
        async let announcedBySteady = self.announced(by: steady)
        var announced: [String: String] = [:]
        // A kill can come between two jobs: then there are more.
        var isInterrupted = false
        for round in 0..<4 where !isInterrupted {
            for kill in 0..<4 {
                let child = try ChildProcess(
                    "job-runner",
                    arguments(servers, process: "killed\(round)-\(kill)", jobs: 200),
                    killedAfter: Int.random(in: 5...150, using: &random)
                )
                announced.merge(try await self.announced(by: child)) { $1 }
                #expect(await child.end() == -SIGKILL)
            }
            let last = try ChildProcess("job-runner", arguments(servers, process: "last", jobs: 0) + ["--until-done"])
            for await _ in last.lines {}
            #expect(await last.end() == 0)
            let interrupted = "SELECT count(*) FROM jobs WHERE kind = 'exact' AND attempt > 1"
            isInterrupted = try await number(interrupted, in: servers) > 0
        }
        #expect(isInterrupted, "no kill hit a running job")
        steady.send(SIGTERM)
        announced.merge(try await announcedBySteady) { $1 }
        #expect(await steady.end() == 0)
        try await check(servers, announced: announced)
    }

    private func arguments(_ servers: DatabaseServers, process: String, jobs: Int) -> [String] {
        func url(_ role: String) -> String { servers.url(role, through: .database) + "&application_name=\(process)" }
        return [
            "--database", url("app"), "--workers-database", url("job_worker"), "--jobs", "\(jobs)", "--prefix", process,
            "--keys", "one:\(TestedQueue.key)",
        ]
    }

    /// The owner of each job that a process said it had enqueued.
    private func announced(by child: ChildProcess) async throws -> [String: String] {
        var announced: [String: String] = [:]
        for await line in child.lines {
            let parts = line.split(separator: "\t").map(String.init)
            try #require(parts.count == 3)
            announced[parts[0]] = parts[2]
        }
        return announced
    }

    /// The number that a query gives as its count.
    private func number(_ sql: String, in servers: DatabaseServers) async throws -> Int {
        let connection = try await PostgreSQLConnection.open(servers.url("owner", through: .database))
        defer { connection.close() }
        return try #require(try await connection.query(sql).rows.first).decode(Int.self, "count")
    }

    private func check(_ servers: DatabaseServers, announced: [String: String]) async throws {
        let connection = try await PostgreSQLConnection.open(servers.url("owner", through: .database))
        defer { connection.close() }
        let accounts = try await JobQueue.accounts(in: connection)
        #expect(accounts.open == 0 && accounts.dead == 0 && accounts.done >= announced.count, "\(accounts)")
        var owners: [String: JobOwner] = [:]
        for row in try await connection.query("SELECT id, owner_kind, owner_name, owner_key FROM jobs").rows {
            owners[try row.decode(String.self, "id")] = try JobOwner(
                JobOwner.Columns(
                    kind: row.decode(String.self, "owner_kind"),
                    name: row.decode(String.self, "owner_name"),
                    key: row.decode(String.self, "owner_key")
                )
            )
        }
        for (id, owner) in announced { #expect(owners[id]?.description == owner, "an announced job is not there") }
        let wrong = """
            SELECT count(*) FROM effects LEFT JOIN jobs ON job = id
            WHERE id IS NULL OR seen_kind <> owner_kind OR seen_name <> owner_name OR seen_key <> owner_key
                OR owner <> owner_key
            """
        #expect(try await number(wrong, in: servers) == 0, "jobs ran as another")
        let often = """
            SELECT count(*) FROM jobs WHERE kind = 'exact' AND (SELECT count(*) FROM effects WHERE job = id) <> 1
            """
        #expect(try await number(often, in: servers) == 0, "jobs that end in a transaction took effect twice, or never")
        let never = "SELECT count(*) FROM jobs WHERE NOT EXISTS (SELECT FROM effects WHERE job = id)"
        #expect(try await number(never, in: servers) == 0)
        let processes = try await connection.query("SELECT DISTINCT process FROM effects").rows
            .compactMap { $0["process"] }
        #expect(processes.contains("steady") && processes.contains { $0.hasPrefix("killed") }, "\(processes)")
    }
}
