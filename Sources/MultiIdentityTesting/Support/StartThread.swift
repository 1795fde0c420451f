import Foundation
import MultiIdentity

/// Runs `body` on a new thread, where no task runs and nothing is bound.
///
/// The thread releases `body` before it ends: on Linux, the captures of a thread's closure are released after libdispatch
/// has freed its data of the thread.
func startThread(_ body: @escaping @Sendable () -> Void) {
    let luggage = Locked<(@Sendable () -> Void)?>(body)
    Thread.detachNewThread {
        let unpacked = luggage.withLock { luggage in
            defer { luggage = nil }
            return luggage
        }
        unpacked?()
    }
}

/// Runs each step of a task on its own thread.
///
/// It is for tasks that a blocked thread waits for: boundaries that make tasks wait can block all threads of the
/// shared pool.
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        startThread { [self] in
            withExtendedLifetime(self) { job.runSynchronously(on: executor) }
        }
    }
}
