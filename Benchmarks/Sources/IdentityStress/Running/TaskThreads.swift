#if compiler(>=6.3)
import Foundation
import Synchronization
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// Threads of this program that run Swift's tasks, in place of Dispatch's workers.
final class TaskThreads: TaskExecutor, SchedulingExecutor, @unchecked Sendable {
    // `@unchecked Sendable`: the condition guards the jobs.

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var first = 0
    private static let ran = Atomic(0)

    /// Says how many jobs of tasks ran on such threads, and ends the program if none did.
    static func report(_ threads: Int) {
        let count = ran.load(ordering: .relaxed)
        StandardError.print("\(count) jobs of tasks ran on threads of the program: \(threads)")
        if count == 0 { exit(IdentityStress.complain("no task ran on threads of the program", code: 1)) }
    }

    /// Makes a number of them Swift's default executor; the program must not have started a task.
    static func replaceWorkers(by count: Int) {
        Factory.threads.store(count, ordering: .relaxed)
        _createExecutors(factory: Factory.self)
    }

    private enum Factory: ExecutorFactory {
        static let threads = Atomic(1)
        static var mainExecutor: any MainExecutor { PlatformExecutorFactory.mainExecutor }
        static let defaultExecutor: any TaskExecutor = TaskThreads(threads.load(ordering: .relaxed))
    }

    private init(_ count: Int) {
        for _ in 0..<count { Thread.detachNewThread { self.runForEver() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock { jobs.append(job) }
        condition.signal()
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob,
        after delay: C.Duration,
        tolerance: C.Duration?,
        clock: C
    ) {
        let (job, delay) = (UnownedJob(job), delay as? Duration ?? .zero)
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: delay / .seconds(1))
            self.enqueue(ExecutorJob(job))
        }
    }

    func enqueue<C: Clock>(_ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C) {
        enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
    }

    private func runForEver() {
        while true {
            condition.lock()
            while first == jobs.count { condition.wait() }
            let job = jobs[first]
            first += 1
            if first == jobs.count { (jobs, first) = ([], 0) }
            condition.unlock()
            Self.ran.add(1, ordering: .relaxed)
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
#endif
