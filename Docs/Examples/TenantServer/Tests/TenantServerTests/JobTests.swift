import Dispatch
import Foundation
import JobQueue
import Logging
import MultiIdentity
import PostgreSQLIdentity
import SignedIdentity
import Synchronization
import Testing

@testable import TenantServer

@Suite("Jobs in a database") struct JobTests {
    @Test(
        "run as the identity that enqueued them, by the workers of whatever process",
        arguments: [IdentityKeeping.carried, .withoutIdentity],
        TestedJobs.Engine.allCases
    )
    func runAsTheirOwner(_ keeping: IdentityKeeping, on engine: TestedJobs.Engine) async throws {
        let tested = try TestedJobs(on: engine)
        defer { tested.remove() }
        let keys = try KeyRing(parsing: "test:" + Data(repeating: 7, count: 32).base64EncodedString())
        let users = (0..<20).map { "user\($0)@contoso.com" }

        // Enqueued where no worker runs, as by a process that is killed right after.
        let enqueuing = try JobsInDatabase(
            tested.location,
            keys: keys,
            keeping: keeping,
            logger: Logger(label: "first")
        )
        for (number, user) in users.enumerated() {
            let marker = try #require(Marker("\(number)-\(user)"))
            let caller: Caller = keeping == .carried ? .carried : .passed(user)
            let errand = Errand(
                caller: caller,
                marker: marker,
                logger: Logger(label: "first") { _ in SwiftLogNoOpLogHandler() }
            )
            let seen = try await withIdentity(keeping == .carried ? Identity(user) : nil) {
                try await enqueuing.enqueue(errand)
            }
            #expect(seen.as == user)
        }

        let log = StreamedLog()
        let working = try JobsInDatabase(
            tested.location,
            keys: keys,
            keeping: keeping,
            logger: Logger(label: "next") { _ in log }
        )
        let ran = await withTaskGroup { group in
            group.addTask { try? await working.run() }
            var ran: [StreamedLog.Line] = []
            for await line in log.lines where line.message == "job" {
                ran.append(line)
                if ran.count == users.count { break }
            }
            group.cancelAll()
            return ran
        }
        #expect(Set(ran.map(\.identity)) == Set(users))
        for line in ran { #expect(line.marker?.hasSuffix("-" + (line.identity ?? "")) == true) }
    }

    @Test(
        "on PostgreSQL are removed with their owner, also one that is being enqueued, and nothing of another's",
        .timeLimit(.minutes(1))
    )
    func erasedWhileEnqueued() async throws {
        let tested = try TestedJobs(on: .postgreSQL)
        defer { tested.remove() }
        let queue = JobQueue(keys: try KeyRing(parsing: "test:" + Data(repeating: 7, count: 32).base64EncodedString()))
        guard case .postgreSQL(let url, let workers) = tested.location else { return }
        let jobs = try PostgreSQLJobDatabase(url: url, workersURL: workers, queue: queue)
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        for owner in [ada, grace] {
            try await withIdentity(owner) { try await jobs.enqueue(NewJob("note", idempotencyKey: "1")) {} }
        }
        let all = try await tested.connection()
        defer { all.close() }
        try await all.query(
            "INSERT INTO job_notes VALUES ($1, 'm', 'Ada', 1), ($2, 'm', 'Grace', 1)",
            [ada.caselessName, grace.caselessName]
        )
        // Within the transaction that enqueues: the erasure begins, and has to wait for its end.
        let admitted = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)
        async let enqueued: Void = withIdentity(ada) {
            try await jobs.enqueue(NewJob("note", idempotencyKey: "2")) {
                admitted.signal()
                goesOn.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                admitted.wait()
                continuation.resume()
            }
        }
        let hasErased = Atomic(false)
        async let erased: Void = {
            defer { hasErased.store(true, ordering: .relaxed) }
            try await jobs.erase(ada)
        }()
        // Until it waits, or did not.
        while !hasErased.load(ordering: .relaxed) {
            let waiting = try await all.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").count
            if waiting > 0 { break }
        }
        goesOn.signal()
        try await enqueued
        try await erased
        let owners = try await all.query("SELECT owner_key FROM jobs").rows.map { $0["owner_key"] }
        #expect(owners == [grace.caselessName])
        #expect(try await all.query("SELECT made_as FROM job_notes").rows.map { $0["made_as"] } == ["Grace"])
    }
}
