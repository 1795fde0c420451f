import CMultiIdentity
import Dispatch
import Foundation
import MultiIdentityDiagnostics
import Synchronization
import Testing

@testable import MultiIdentity

#if os(Linux)
/// Each run of a task on our executor is the identity's that is bound in the task there, not of the thread that resumed it.
@Suite("Runs of tasks") struct TaskRunTests {
    private typealias Context = ThreadContextTests

    private static func executor() -> (IdentityTaskExecutor, DispatchQueue) {
        let queue = IdentityQueue(label: "tasks")
        return (IdentityTaskExecutor(on: queue), queue.base)
    }

    @Test("are shown as what is bound in the task, across suspensions, scopes and child tasks; afterwards nothing is")
    func shown() async throws {
        let (ada, bob) = (try Context.newIdentity(), try Context.newIdentity())
        let seen = try await Context.whileOn {
            let (executor, queue) = Self.executor()
            let task = withIdentity(ada) {
                Task(executorPreference: executor) {
                    var seen = [Context.seen]
                    await withIdentity(bob) {
                        seen.append(Context.seen)
                        await Task.yield()
                        seen.append(Context.seen)
                        await withIdentity(nil) {
                            seen.append(Context.seen)
                            await Task.yield()
                            seen.append(Context.seen)
                        }
                        seen.append(withIdentity(ada) { Context.seen })
                        seen.append(Context.seen)
                    }
                    seen.append(Context.seen)
                    async let child = withIdentity(bob) { [Context.seen] } + [Context.seen]
                    await Task.yield()
                    seen += await child
                    seen.append(Context.seen)
                    return seen + (await Task.detached(executorPreference: executor) { [Context.seen] }.value)
                }
            }
            return await task.value + queue.sync { [Context.seen] }
        }
        #expect(seen == [ada, bob, bob, nil, nil, ada, bob, ada, bob, ada, ada, nil, nil])
    }

    @Test("are the task's own, not of who resumed it", arguments: [false, true]) func resumed(fairly: Bool) async throws
    {
        let (ada, bob) = (try Context.newIdentity(), try Context.newIdentity())
        let seen = try await Context.whileOn {
            let queue = IdentityQueue(label: "tasks", draining: fairly ? .fairly(by: .pieces) : .oneByOne)
            let (waits, resumption) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
            let task = Task.propagatingIdentity.detached {
                await withTaskExecutorPreference(IdentityTaskExecutor(on: queue)) {
                    await withIdentity(bob) {
                        await withCheckedContinuation { _ = resumption.yield($0) }
                        return [Identity.current, Context.seen]
                    }
                }
            }
            let waiting = await waits.first { _ in true }
            await onNewThread { withIdentity(ada) { waiting?.resume() } }
            return await task.value
        }
        #expect(seen == [bob, bob])
    }

    @Test("are charged to what is bound in the task") func charged() async throws {
        let users = try (0..<3).map { _ in try Context.newIdentity() }
        let spent = await IdentityAccountTests.whileOn {
            let (executor, _) = Self.executor()
            await withTaskExecutorPreference(executor) {
                await withTaskGroup { group in
                    for (index, user) in users.enumerated() {
                        group.addTask {
                            await withIdentity(user) {
                                for _ in 0...index {
                                    IdentityAccountTests.work(milliseconds: 10)
                                    await Task.yield()
                                }
                            }
                            IdentityAccountTests.work(milliseconds: 5)
                        }
                    }
                }
            }
            let rows = IdentityAccounts.snapshot().rows
            return users.map { user in
                rows.filter { $0.holder == .identity(user) }.map { $0.cpu / .milliseconds(1) }.reduce(0, +)
            }
        }
        for (index, spent) in spent.enumerated() { #expect(abs(spent - Double(10 * (index + 1))) < 5) }
    }

    @Test("are no one's if the job is not a task's, as those of actors") func jobs() async throws {
        let ada = try Context.newIdentity()
        let seen = try await Context.whileOn {
            IdentityAccounts.isOn = true
            defer { IdentityAccounts.isOn = false }
            return await onNewThread { () -> [Identity?] in
                var (seen, job): ([Identity?], UInt) = ([], 0)
                withIdentity(ada) {
                    TaskRun.run(&job) {
                        withIdentity(ada, limits: IdentityLimits(cpu: .seconds(1))) {}
                        seen.append(Context.seen)
                        IdentityAccountTests.work(milliseconds: 2)
                    }
                    seen.append(Context.seen)
                }
                return seen
            }
        }
        #expect(seen == [nil, ada])
        let row = IdentityAccounts.snapshot().rows.first { $0.holder == .jobs }
        #expect(row.map { $0.cpu >= .milliseconds(1) && $0.pieces > 0 && "\($0)".hasPrefix("(jobs), task: ") } == true)
    }

    /// Keeps the jobs of tasks, to be run on a thread of the test.
    private final class Jobs: TaskExecutor {
        private let waiting = Locked<[UnownedJob]>([])

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            waiting.withLock { $0.append(job) }
        }

        func run() {
            let jobs = waiting.withLock { $0 }
            waiting.withLock { $0 = [] }
            for job in jobs {
                TaskRun.run(unsafeBitCast(job, to: UnsafeRawPointer.self)) {
                    job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
        }
    }

    @Test("leave nothing on the thread of what was turned on in them") func turnedOn() async throws {
        let ada = try Context.newIdentity()
        let (inScope, seen, spent) = await ProcessWideSwitch.exclusively {
            defer {
                IdentityThreadContext.turnOff()
                IdentityAccounts.isOn = false
            }
            return await onNewThread {
                let (jobs, inScope) = (Jobs(), Locked<Identity?>(nil))
                Task(executorPreference: jobs) {
                    try IdentityThreadContext.turnOn()
                    IdentityAccounts.isOn = true
                    await withIdentity(ada) {
                        inScope.withLock { $0 = Context.seen }
                        await Task.yield()
                    }
                }
                // Its runs are reported because of the limits.
                return withIdentity(nil, limits: IdentityLimits(cpu: .seconds(1))) {
                    jobs.run()
                    let seen = Context.seen
                    IdentityAccountTests.work(milliseconds: 20)
                    let rows = IdentityAccounts.snapshot().rows.filter { $0.holder == .identity(ada) }
                    jobs.run()
                    return (inScope.withLock { $0 }, seen, rows.map(\.wall).reduce(.zero, +))
                }
            }
        }
        #expect(inScope == ada && seen == nil)
        #expect(spent > .zero && spent < .milliseconds(15))
    }

    @Test("are not a restored snapshot's after that, if nothing was on when it began") func restored() async throws {
        let (ada, seen) = (try Context.newIdentity(), Locked<[Identity?]>([]))
        try await ProcessWideSwitch.exclusively {
            defer { IdentityThreadContext.turnOff() }
            let (executor, _) = Self.executor()
            let captured = withIdentity(ada) { IdentitySnapshot.capture() }
            try await Task.detached(executorPreference: executor) {
                try await captured.restore {
                    try IdentityThreadContext.turnOn()
                    await Task.yield()
                    seen.withLock { $0.append(Context.seen) }
                }
                seen.withLock { $0.append(Context.seen) }
            }.value
        }
        #expect(seen.withLock { $0 } == [ada, nil])
    }

    @Test("show nothing of a scope that ended after that was turned off") func turnedOff() async throws {
        let seen = try await Context.whileOn {
            await onNewThread {
                let (jobs, seen) = (Jobs(), Locked<[Bool]>([]))
                Task(executorPreference: jobs) {
                    await withIdentity(try Context.newIdentity()) { () async in
                        seen.withLock { $0.append(Context.seen != nil) }
                        IdentityThreadContext.turnOff()
                    }
                    seen.withLock { $0.append(mi_thread_context_shown() != nil) }
                }
                jobs.run()
                return seen.withLock { $0 }
            }
        }
        #expect(seen == [true, false])
    }

    @Test("are no one's from a scope on that begins in a task that its creator's thread runs at once")
    func immediate() async throws {
        let (ada, bob) = (try Context.newIdentity(), try Context.newIdentity())
        let spent = await IdentityAccountTests.whileOn {
            await onNewThread {
                withIdentity(ada) {
                    Task.immediate {
                        await withIdentity(ada) { () async in IdentityAccountTests.work(milliseconds: 5) }
                    }
                    Task.immediate {
                        await withIdentity(bob) { () async in IdentityAccountTests.work(milliseconds: 20) }
                    }
                }
                let rows = IdentityAccounts.snapshot().rows
                return [ada, bob].map { user in
                    rows.filter { $0.holder == .identity(user) }.map { $0.cpu / .milliseconds(1) }.reduce(0, +)
                }
            }
        }
        #expect(spent[0] > 3 && spent[0] < 10 && spent[1] == 0)
    }

    @Test("count for the limits of the tree that the task is in") func limited() async throws {
        let (found, used) = (FindingNotes { _ in }, Locked<UInt64>(0))
        var limits = IdentityLimits(cpu: .milliseconds(10))
        limits.clock = { used.withLock { $0 } }
        let (executor, _) = Self.executor()
        await withTaskExecutorPreference(executor) { [limits] in
            await withIdentityLevels(found.levels) {
                await withIdentity(nil, limits: limits) {
                    await Task.yield()  // the first limit of the process begins with the next run
                    used.withLock { $0 += 11_000_000 }
                    #expect(found.all.isEmpty)
                    await Task.yield()
                    #expect(found.all.map(\.kind) == [.beyondLimit])
                }
                used.withLock { $0 += 11_000_000 }
                await Task.yield()
            }
        }
        #expect(found.all.count == 1)
    }

    @Test("take the turns of what is bound in the task, on a fair queue") func fair() async throws {
        let (ada, bob) = (try Context.newIdentity(), try Context.newIdentity())
        let queue = IdentityQueue(label: "tasks", draining: .fairly(by: .pieces))
        let (executor, order) = (IdentityTaskExecutor(on: queue), Locked<[Identity]>([]))
        queue.suspend()
        let tasks = [ada, ada, ada, bob].map { user in
            withIdentity(user) { Task(executorPreference: executor) { order.withLock { $0.append(user) } } }
        }
        queue.resume()
        for task in tasks { await task.value }
        #expect(order.withLock { $0 }.firstIndex(of: bob).map { $0 < 2 } == true)
    }
}
#endif
