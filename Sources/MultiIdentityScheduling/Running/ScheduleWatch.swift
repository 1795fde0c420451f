#if os(Linux)
import CMultiIdentityScheduling
import Dispatch
import Synchronization

/// Stops the program if a schedule takes no step any more: a work item waits for something that no schedule controls, so that
/// no other can run.
struct ScheduleWatch {
    /// Grows with each step.
    static let progress = Atomic<Int>(0)
    /// False between two schedules, which may take any time.
    static let isUnderWay = Atomic<Bool>(false)
    private static let thread = DispatchQueue(label: "multi-identity.schedules")

    private let isOver: OpaquePointer

    /// Starts watching, on its own thread.
    init(patience: UInt32) {
        // `nonisolated(unsafe)`: a semaphore, which the waiting thread frees.
        nonisolated(unsafe) let isOver = mi_scheduled_place_make()
        self.isOver = isOver
        Self.thread.async {
            var seen: Int?
            while !mi_scheduled_place_wait(isOver, patience) {
                let now = Self.isUnderWay.load(ordering: .relaxed) ? Self.progress.load(ordering: .relaxed) : nil
                if let now, now == seen { Schedule.current?.stop(after: patience) }
                seen = now
            }
            mi_scheduled_place_free(isOver)
        }
    }

    func end() { mi_scheduled_thread_go(isOver) }
}

extension Schedule {
    /// Stops the program; nothing can be saved.
    fileprivate func stop(after patience: UInt32) -> Never {
        let workItem = worker?.workItem.map { "work item \($0.number) on \($0.queue.label)" } ?? "a work item"
        fatalError(
            """
            MultiIdentityScheduling: \(workItem) has taken no step for \(patience) ms. It waits for something that is \
            not controlled (a lock that another work item has, a thread, the kernel), or runs for ever. Choices so far: \
            \(RecordedSchedule(steps.map(\.chosen)))
            """
        )
    }
}
#endif
