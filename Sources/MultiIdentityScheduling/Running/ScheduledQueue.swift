#if os(Linux)
import CMultiIdentityScheduling

/// A dispatch queue in a schedule: its pending work items, and those that run.
///
/// The executor that runs Swift's tasks is also one, and so are the program's threads, which have no handle.
final class ScheduledQueue: ScheduledObject {
    let number: Int
    let isConcurrent: Bool
    let isGlobal: Bool
    private let name: String
    var target: ScheduledQueue?
    var suspensions = 0
    /// The work items that were handed over and have not begun, oldest first.
    var pending: [ScheduledWorkItem] = []
    /// The number of work items that run on this queue or on one that targets it.
    private(set) var running = 0
    private var isBarrierRunning = false
    /// The moments before the end of each work item, and of each barrier.
    private var done = ScheduledClock()
    private var barriersDone = ScheduledClock()
    /// The number of the queue below this one that ran last: libdispatch continues with it while it has work.
    private(set) var lastBranch: Int?

    init(
        _ number: Int,
        handle: UnsafeMutableRawPointer?,
        isConcurrent: Bool,
        isGlobal: Bool = false,
        target: ScheduledQueue?,
        name: String = ""
    ) {
        self.number = number
        self.isConcurrent = isConcurrent
        self.isGlobal = isGlobal
        self.target = target
        self.name = name
        super.init(handle)
    }

    // libdispatch refuses to release a suspended queue.
    deinit { if suspensions > 0, let handle { mi_scheduled_retain(handle) } }

    private(set) lazy var label: String = {
        guard let handle else { return name }
        let label = String(cString: mi_scheduled_label(handle))
        return label.isEmpty ? "queue \(number)" : label
    }()

    /// A number that is equal in each process if the queue has the same label and was made by the same steps.
    private(set) lazy var key: Int = {
        var hash = ScheduleHash()
        if identity <= UInt64(UInt32.max) { hash.add(Int(identity)) }
        var last: UInt8 = 0
        for byte in label.utf8 {
            // Foundation's labels end with an address.
            if (last, byte) == (UInt8(ascii: "0"), UInt8(ascii: "x")) { break }
            hash.add(byte)
            last = byte
        }
        return Int(truncatingIfNeeded: hash.value)
    }()

    /// The work items that are first in line: one of a serial queue; of a concurrent one all up to the next barrier.
    var firstInLine: ArraySlice<ScheduledWorkItem> {
        guard isConcurrent, let first = pending.first else { return pending.prefix(1) }
        return first.isBarrier ? pending.prefix(1) : pending.prefix { !$0.isBarrier }
    }

    /// Returns whether a work item that is first in line can begin.
    func canBegin(_ workItem: ScheduledWorkItem) -> Bool {
        if suspensions > 0 || isBarrierRunning || (running > 0 && (!isConcurrent || workItem.isBarrier)) {
            return false
        }
        var above = target
        while let queue = above {
            if queue.suspensions > 0 || queue.isBarrierRunning || (queue.running > 0 && !queue.isConcurrent) {
                return false
            }
            above = queue.target
        }
        return true
    }

    func begin(_ workItem: ScheduledWorkItem) {
        pending.removeAll { $0 === workItem }
        isBarrierRunning = isConcurrent && workItem.isBarrier
        forEachUpwards { queue, branch in
            queue.running += 1
            queue.lastBranch = branch.number
        }
    }

    /// Orders a beginning work item after those that it depends on.
    func acquire(for workItem: ScheduledWorkItem) {
        forEachUpwards { queue, _ in
            let isAlone = !queue.isConcurrent || (queue === self && workItem.isBarrier)
            workItem.clock.join(isAlone ? queue.done : queue.barriersDone)
        }
    }

    /// Orders the work items that begin here later after one that ends.
    func release(from workItem: ScheduledWorkItem) {
        forEachUpwards { queue, _ in queue.done.join(workItem.clock) }
        if workItem.isBarrier { barriersDone.join(workItem.clock) }
    }

    func end(_ workItem: ScheduledWorkItem) {
        if workItem.isBarrier { isBarrierRunning = false }
        forEachUpwards { queue, _ in queue.running -= 1 }
    }

    /// Calls `body` with this queue and each that it targets in turn, and with the queue that leads there.
    func forEachUpwards(_ body: (_ queue: ScheduledQueue, _ branch: ScheduledQueue) -> Void) {
        var (queue, branch) = (self, self)
        while true {
            body(queue, branch)
            guard let target = queue.target else { return }
            (branch, queue) = (queue, target)
        }
    }
}
#endif
