import Dispatch
import Foundation
import Testing

@testable import MultiIdentity

@Suite("On an executor of one's own") struct ExecutorTests {
    /// The runner of the jobs.
    enum Worker: Sendable, CaseIterable {
        /// A plain queue.
        case queue
        /// An identity queue, which captures the identity that enqueues: the one that resumes.
        case identityQueue
        /// A thread that does nothing else.
        case thread
    }

    private actor FakeDesk {
        private let executor: OwnSerialExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        init(_ executor: OwnSerialExecutor) { self.executor = executor }

        func look() -> Look {
            executor.preconditionIsolated()
            return Look()
        }

        func lookTwice(between pause: @Sendable () async -> Void) async -> [Look] {
            let before = Look()
            await pause()
            executor.preconditionIsolated()
            return [before, Look(), withIdentity(.nobody) { Look() }, Look()]
        }
    }

    /// A look at one place, by mirror and task-local.
    private struct Look: Sendable, Equatable {
        let identity: Identity?
        let agrees: Bool

        init() {
            identity = Identity.current
            let (shown, stored) = (ThreadMirror.current(), IdentitySnapshot.bound.get())
            agrees = unsafeBitCast(shown, to: UInt.self) == unsafeBitCast(stored, to: UInt.self)
        }
    }

    static let callers: [Identity?] = [Users.ada, .nobody, nil]

    private let grace = Users.grace

    @Test("an actor's work runs as its task", .rule("4.5"), arguments: Worker.allCases, callers)
    func actor(_ worker: Worker, _ caller: Identity?) async {
        let desk = FakeDesk(OwnSerialExecutor(worker))
        let looks = await withIdentity(caller) { [await desk.look(), Look(), await desk.look()] }
        #expect(looks.map(\.identity) == [caller, caller, caller])
        #expect(!looks.map(\.agrees).contains(false))
    }

    @Test("and goes on as its task when somebody else resumes it", .rule("4.5"), arguments: Worker.allCases, callers)
    func resumed(_ worker: Worker, _ caller: Identity?) async {
        let executor = OwnSerialExecutor(worker)
        let desk = FakeDesk(executor)
        let (isWaiting, gate) = (Gate(), Gate())
        let task = withIdentity(caller) {
            Task {
                await desk.lookTwice {
                    isWaiting.open()
                    await gate.wait()
                }
            }
        }
        await isWaiting.wait()
        let grace = grace
        await onNewThread { withIdentity(grace) { gate.open() } }
        let looks = await task.value
        #expect(looks.map(\.identity) == [caller, caller, .nobody, caller])
        #expect(!looks.map(\.agrees).contains(false))
        #expect(await executor.jobs.lookAround().map(\.identity) == [nil])
    }

    @Test(
        "a task that prefers it runs there as itself, whichever identity resumes it",
        .rule("4.5"),
        arguments: Worker.allCases,
        callers
    )
    func taskExecutor(_ worker: Worker, _ caller: Identity?) async {
        let executor = OwnTaskExecutor(worker)
        let (isWaiting, gate) = (Gate(), Gate())
        let task = withIdentity(caller) {
            Task(executorPreference: executor) { () async -> [Look] in
                let first = Look()
                async let child = Look()
                isWaiting.open()
                await gate.wait()
                return [first, await child, Look(), withIdentity(.nobody) { Look() }, Look()]
            }
        }
        await isWaiting.wait()
        let grace = grace
        await onNewThread { withIdentity(grace) { gate.open() } }
        let looks = await task.value
        #expect(looks.map(\.identity) == [caller, caller, caller, .nobody, caller])
        #expect(!looks.map(\.agrees).contains(false))
    }

    @Test("the worker has nothing bound between jobs, and its own back after each", arguments: Worker.allCases)
    func workerAfterwards(_ worker: Worker) async throws {
        let ada = try Identity("ada@contoso.com")
        let executor = OwnSerialExecutor(worker)
        let desk = FakeDesk(executor)
        for _ in 0..<8 {
            await withIdentity(ada) { _ = await desk.look() }
            let looks = await withIdentity(grace) { await executor.jobs.lookAround() }
            #expect(looks.map(\.identity) == [nil])
            #expect(!looks.map(\.agrees).contains(false))
        }
    }

    @Test(
        "a job inside a scope of its worker's runs as its task, and the scope goes on",
        .rule("4.5"),
        arguments: callers
    )
    func jobInsideScope(_ caller: Identity?) async {
        let executor = ScopedExecutor(grace)
        let looks = await withIdentity(caller) {
            await withTaskExecutorPreference(executor) { () async -> [Identity?] in
                [Identity.current, IdentitySnapshot.bound.get().identity]
            }
        }
        #expect(looks == [caller, caller])
        #expect(Set(await onQueue(executor.queue) { executor.afterJobs.all }) == [grace])
    }

    private func onQueue<Value: Sendable>(_ queue: DispatchQueue, _ body: @escaping @Sendable () -> Value) async
        -> Value
    {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: body()) } }
    }

    /// A runner of jobs in order, as a test chooses.
    private struct Jobs: Sendable {
        let run: @Sendable (@escaping @Sendable () -> Void) -> Void
        let queue: DispatchQueue?

        init(on worker: Worker) {
            switch worker {
            case .queue:
                let queue = DispatchQueue(label: "executor")
                self.queue = queue
                run = { queue.async(execute: $0) }
            case .identityQueue:
                let queue = IdentityQueue(label: "executor")
                self.queue = queue.base
                run = { queue.async(execute: $0) }
            case .thread:
                queue = nil
                let thread = JobThread()
                run = { thread.add($0) }
            }
        }

        /// Returns what the worker itself has bound, after all jobs so far.
        func lookAround() async -> [Look] {
            await withCheckedContinuation { continuation in
                let look: @Sendable () -> Void = { continuation.resume(returning: [Look()]) }
                if let queue { queue.async(execute: look) } else { run(look) }
            }
        }
    }

    private final class OwnSerialExecutor: SerialExecutor {
        let jobs: Jobs

        init(_ worker: Worker) { jobs = Jobs(on: worker) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private final class OwnTaskExecutor: TaskExecutor {
        let jobs: Jobs

        init(_ worker: Worker) { jobs = Jobs(on: worker) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.run { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Runs each job inside a scope of somebody else's.
    private final class ScopedExecutor: TaskExecutor {
        let queue = DispatchQueue(label: "scoped")
        let afterJobs = Notes<Identity?>()
        private let identity: Identity

        init(_ identity: Identity) { self.identity = identity }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in
                withIdentity(identity) {
                    job.runSynchronously(on: asUnownedTaskExecutor())
                    afterJobs.add(.current)
                }
            }
        }
    }

    /// A thread that runs jobs in order until it is let go of.
    private final class JobThread: Sendable {
        private final class State: Sendable {
            let jobs = Locked<[(@Sendable () -> Void)?]>([])
            let hasJob = DispatchSemaphore(value: 0)

            func add(_ job: (@Sendable () -> Void)?) {
                jobs.withLock { $0.append(job) }
                hasJob.signal()
            }
        }

        private let state = State()

        init() {
            let state = state
            Thread.detachNewThread {
                while true {
                    state.hasJob.wait()
                    guard let job = state.jobs.withLock({ $0.removeFirst() }) else { return }
                    job()
                }
            }
        }

        deinit { state.add(nil) }

        func add(_ job: @escaping @Sendable () -> Void) { state.add(job) }
    }
}
