import JobQueue
import Logging
import MultiIdentity
import ServiceLifecycle
import Synchronization
import Testing

@Suite("Workers run what is due") struct WorkersTests {
    struct Failure: Error {}

    @Test("and what fails again, as its owner, until it is put aside with the reason")
    func retries() async throws {
        let tested = try TestedQueue()
        try tested.enqueue(NewJob("fail", idempotencyKey: "1", maximumAttempts: 4), as: Identity("ada@contoso.com"))
        let seen = Mutex<[String?]>([])
        // The tested clock stands still: it is moved as far as a retry waits.
        try await tested.work(
            [
                "fail": { run in
                    seen.withLock { $0.append(Identity.current?.name) }
                    tested.pass(.seconds(1))
                    throw Failure()
                }
            ],
            until: { _ in
                tested.pass(.seconds(1))
                return (try? tested.accounts.dead) == 1
            }
        )
        #expect(seen.withLock { $0 } == Array(repeating: "ada@contoso.com", count: 4))
        let letter = try #require(try tested.deadLetters.first)
        #expect(letter.attempts == 4)
        #expect(letter.reason.contains("Failure"))
    }

    @Test("but not what would fail for good, what nothing here runs, and what is not admitted any more")
    func forGood() async throws {
        let tested = try TestedQueue()
        let (ada, grace) = (try Identity("ada@contoso.com"), try Identity("grace@contoso.com"))
        try tested.enqueue(NewJob("fail", idempotencyKey: "1"), as: ada)
        try tested.enqueue(NewJob("unknown", idempotencyKey: "1"), as: ada)
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: grace)
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: ada)
        let ran = Mutex<[String?]>([])
        try await tested.work(
            [
                "fail": { _ in throw PermanentJobFailure("no such\naccount") },
                "look": { _ in ran.withLock { $0.append(Identity.current?.name) } },
            ],
            admits: { owner in if owner == .identity(grace) { throw Failure() } },
            until: { $0.open == 0 }
        )
        #expect(ran.withLock { $0 } == ["ada@contoso.com"])
        let reasons = Set(try tested.deadLetters.map(\.reason))
        #expect(
            reasons == [
                "no such account", "nothing here runs jobs of the kind unknown", "its owner is not admitted: Failure()",
            ]
        )
        #expect(try tested.deadLetters.map(\.attempts) == [1, 1, 1])
    }

    @Test("and ask whether an owner is admitted as the owner, with work that counts as running by then")
    func admission() async throws {
        let tested = try TestedQueue()
        try tested.enqueue(NewJob("look", idempotencyKey: "1"), as: Identity("ada@contoso.com"))
        let seen = Mutex<[String?]>([])
        try await tested.work(
            ["look": { _ in }],
            admits: { _ in seen.withLock { $0.append(Identity.current?.name) } },
            until: { $0.done == 1 }
        )
        #expect(seen.withLock { $0 } == ["ada@contoso.com"])
    }

    @Test("never more at once than they may")
    func concurrency() async throws {
        let tested = try TestedQueue()
        for job in 0..<40 { try tested.enqueue(NewJob("look", idempotencyKey: "\(job)"), as: .nobody) }
        let running = Mutex((now: 0, most: 0))
        var options = JobWorkers.Options.quick
        options.concurrency = 3
        try await tested.work(
            [
                "look": { _ in
                    running.withLock { running in
                        running.now += 1
                        running.most = max(running.most, running.now)
                    }
                    for _ in 0..<20 { await Task.yield() }
                    running.withLock { $0.now -= 1 }
                }
            ],
            options: options,
            until: { $0.done == 40 }
        )
        #expect(running.withLock { $0.now } == 0)
        #expect(1...3 ~= running.withLock { $0.most })
    }

    @Test("asked to stop, they end what runs and begin nothing more")
    func gracefulStop() async throws {
        let tested = try TestedQueue()
        for job in 0..<10 { try tested.enqueue(NewJob("look", idempotencyKey: "\(job)"), as: .nobody) }
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let (opened, open) = AsyncStream<Void>.makeStream()
        var options = JobWorkers.Options.quick
        options.concurrency = 1
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let handler: JobWorkers.Handler = { _ in
            begin.yield()
            for await _ in opened { break }
        }
        let workers = JobWorkers(
            tested.queue,
            of: tested.pool,
            options: options,
            handlers: ["look": handler],
            logger: logger
        )
        let group = ServiceGroup(services: [workers], logger: logger)
        async let running: Void = group.run()
        for await _ in begun { break }
        await group.triggerGracefulShutdown()
        #expect(try tested.accounts.running == 1)
        open.yield()
        try await running
        #expect(try tested.accounts == JobQueue.Accounts(waiting: 9, running: 0, done: 1, dead: 0))
    }

    @Test("cancelled, they give back what runs, as if it had not been begun")
    func cancellation() async throws {
        let tested = try TestedQueue()
        try tested.enqueue(NewJob("look", idempotencyKey: "1", maximumAttempts: 1), as: .nobody)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let handler: JobWorkers.Handler = { _ in
            begin.yield()
            try await Task.sleep(for: .seconds(3_600))
        }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let workers = JobWorkers(
            tested.queue,
            of: tested.pool,
            options: .quick,
            handlers: ["look": handler],
            logger: logger
        )
        let task = Task { try await workers.run() }
        for await _ in begun { break }
        task.cancel()
        try await task.value
        #expect(try tested.accounts == JobQueue.Accounts(waiting: 1, running: 0, done: 0, dead: 0))
        try await tested.work(["look": { _ in }], until: { $0.done == 1 })
    }

    @Test("a wait after a failure doubles up to its limit, less a random share of at most half")
    func backOff() {
        let backOff = BackOff(first: .seconds(1), limit: .seconds(60))
        var random = SystemRandomNumberGenerator()
        for (attempt, whole) in [(1, 1), (2, 2), (3, 4), (7, 60), (100, 60), (0, 1)] {
            for _ in 0..<100 {
                let delay = backOff.delay(after: attempt, using: &random)
                #expect(delay >= .seconds(whole) / 2 && delay <= .seconds(whole))
            }
        }
    }
}
