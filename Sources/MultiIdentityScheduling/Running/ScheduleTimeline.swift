#if os(Linux)
import CMultiIdentityScheduling
import MultiIdentity

/// The steps of a schedule as text: which work item does what, on which thread and queue, and as which identity.
public struct ScheduleTimeline: Sendable, CustomStringConvertible {
    enum Event: Sendable {
        case handsOver(Int, to: String)
        case begins(Int, on: String)
        case ends(Int)
        case waits(String)
        /// What it is about to do, or has done, and with which lock.
        case does(mi_scheduled_step, Int?)
        case timePasses
    }

    /// One step.
    struct Entry: Sendable {
        let event: Event
        let workItem: Int?
        let thread: Int?
        let identity: String?
        let time: UInt64
    }

    private(set) var entries: [Entry] = []

    mutating func add(_ event: Event, by workItem: Int?, thread: Int?, at time: UInt64) {
        // Not the identity itself, which would be retained.
        let identity = Identity.shownHere?.description
        entries.append(Entry(event: event, workItem: workItem, thread: thread, identity: identity, time: time))
    }

    /// A line for each step: the virtual time, the thread, the work item, its identity, and the action; a count of waits that
    /// only repeat each other; of thousands of lines, the first and the last ones.
    public var description: String {
        let most = 1_000
        var lines = lines
        if lines.count > 2 * most {
            lines.replaceSubrange(most..<lines.count - most, with: ["… \(lines.count - 2 * most) steps …"])
        }
        return lines.joined(separator: "\n")
    }

    private var lines: [String] {
        var (lines, waits, repeated) = ([String](), Set<String>(), 0)
        for entry in entries {
            let what =
                switch entry.event {
                case .handsOver(let workItem, let queue): "hands over work item \(workItem) to \(queue)"
                case .begins(let workItem, let queue): "begins work item \(workItem) on \(queue)"
                case .ends: "ends"
                case .waits(let what): "waits for \(what)"
                case .does(let step, let lock): step.words(lock.map { "lock \($0)" } ?? "what it waits for")
                case .timePasses: "lets time pass before work that could run"
                }
            let thread = entry.thread.map { "thread \($0)" } ?? "the test"
            let workItem = entry.workItem.map { " work item \($0)" } ?? ""
            let identity = entry.identity.map { " as \($0)" } ?? ""
            let line = "\(thread)\(workItem)\(identity)  \(what)"
            if case .waits = entry.event, !waits.insert(line).inserted {
                if repeated > 0 { lines.removeLast() }
                repeated += 1
                lines.append("… \(repeated) more such waits, until \(entry.time) ns …")
                continue
            }
            if case .waits = entry.event {} else { waits = [] }
            repeated = 0
            lines.append("\(entry.time) ns  \(line)")
        }
        return lines
    }
}

extension mi_scheduled_step {
    fileprivate func words(_ lock: String) -> String {
        switch self {
        case mi_step_lock, mi_step_try: "is about to take \(lock)"
        case mi_step_unlock: "has released \(lock)"
        case mi_step_signal: "has signalled \(lock)"
        case mi_step_poll: "polls \(lock)"
        case mi_step_access: "is about to access \(lock)"
        case mi_step_hop: "is about to hop to another executor"
        case mi_step_continuation: "is about to make a continuation"
        case mi_step_resume: "is about to resume a continuation"
        case mi_step_cancel: "is about to cancel a task"
        case mi_step_is_cancelled: "has checked whether it is cancelled"
        default: "goes on"
        }
    }
}

/// A number that two runs share only if, except by chance, they took the same steps (FNV-1a).
struct ScheduleHash: Hashable, Sendable {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ number: Int) {
        var rest = UInt64(truncatingIfNeeded: number)
        for _ in 0..<8 {
            add(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
#endif
