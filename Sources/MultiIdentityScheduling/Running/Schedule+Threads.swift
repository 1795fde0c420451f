#if os(Linux)
import CMultiIdentityScheduling

// Threads that the program starts itself.
extension Schedule {
    /// The number of the first one: other workers have smaller numbers.
    fileprivate static let firstThread = 1_000_000

    /// Makes a thread that waits for its start begin when it is chosen.
    func startThread(_ thread: OpaquePointer, _ id: UInt) {
        let worker = ScheduledWorker(Self.firstThread + threadCount, ofProgram: thread)
        threadCount += 1
        let work = mi_scheduled_work(function: { _ in }, context: nil, item: nil, is_barrier: false)
        threadItems[id] = enqueue(work, on: threads, waiter: worker)
        yield()
    }

    /// Ends the thread that holds the token, after its thread-local data are gone.
    func endThread() {
        guard let worker, let workItem = worker.workItem else { return }
        finish(workItem, of: worker)
        busy.removeAll { $0 === worker }
        passToken(from: nil)
    }

    func joinThread(_ id: UInt) {
        guard let workItem = threadItems[id] else { return }
        _ = wait(for: "a thread", threads.identity, timeout: .max) { workItem.hasEnded }
        acquire(workItem.clock)
    }
}

extension ScheduledWorker {
    /// True for a thread that the program started.
    var isOfProgram: Bool { number >= Schedule.firstThread }
}
#endif
