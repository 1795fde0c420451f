import Dispatch
import Foundation
import Synchronization

/// A thread that runs its work in order, like a server's worker; it carries nothing.
final class WorkerThread: TaskExecutor, Sendable {
    /// The work that waits for the thread; `nil` ends it.
    private final class Line: Sendable {
        private let waiting = Mutex<[(@Sendable () -> Void)?]>([])
        private let isNext = DispatchSemaphore(value: 0)

        func add(_ work: (@Sendable () -> Void)?) {
            waiting.withLock { $0.append(work) }
            isNext.signal()
        }

        func drain() {
            while true {
                isNext.wait()
                guard let work = waiting.withLock({ $0.removeFirst() }) else { return }
                work()
            }
        }
    }

    private let line = Line()

    init() {
        let line = line
        Thread.detachNewThread { line.drain() }
    }

    deinit { line.add(nil) }

    /// Runs `body` on the thread, outside all tasks, and returns its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { caller in line.add { caller.resume(returning: body()) } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        line.add { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
