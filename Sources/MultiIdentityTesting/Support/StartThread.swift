import Foundation
import MultiIdentity

/// Runs `body` on a new thread, where no task runs and nothing is bound.
///
/// The thread lets go of `body` before it ends: on Linux, what a thread's own closure holds is released after libdispatch
/// has freed what it kept for the thread.
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

/// Runs each step of a task on a thread of its own.
///
/// For tasks that a blocked thread waits for: those of the shared pool may all be blocked themselves, as by boundaries
/// that make a task wait.
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        startThread { [self] in
            withExtendedLifetime(self) { job.runSynchronously(on: executor) }
        }
    }
}
