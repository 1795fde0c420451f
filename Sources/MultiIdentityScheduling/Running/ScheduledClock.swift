#if os(Linux)
import CMultiIdentityScheduling

/// A vector clock: the last moment of each work item that is known to come before.
struct ScheduledClock {
    private var times: [UInt32] = []

    mutating func join(_ other: ScheduledClock) {
        if times.count < other.times.count {
            times += repeatElement(0, count: other.times.count - times.count)
        }
        for index in other.times.indices where other.times[index] > times[index] { times[index] = other.times[index] }
    }

    /// Begins the next moment of a work item.
    mutating func tick(_ workItem: Int) {
        if times.count <= workItem { times += repeatElement(0, count: workItem + 1 - times.count) }
        times[workItem] += 1
    }

    func time(of workItem: Int) -> UInt32 { workItem < times.count ? times[workItem] : 0 }
}

/// The accesses to a value, without those that no later access has to be compared with.
struct ScheduledAccesses: Sendable {
    /// A moment of a work item, in words and numbers.
    struct Moment: Sendable {
        let workItem: Int
        let time: UInt32
        let place: String
    }

    private var write: Moment?
    private var reads: [Moment] = []

    /// Returns an earlier access that no hand-over orders before this one.
    mutating func add(_ moment: Moment, isWrite: Bool, after clock: ScheduledClock) -> Moment? {
        func isUnordered(_ other: Moment) -> Bool {
            other.workItem != moment.workItem && clock.time(of: other.workItem) < other.time
        }
        let conflict = write.flatMap { isUnordered($0) ? $0 : nil } ?? (isWrite ? reads.first(where: isUnordered) : nil)
        if isWrite {
            (write, reads) = (moment, [])
        } else {
            reads.removeAll { $0.workItem == moment.workItem || !isUnordered($0) }
            reads.append(moment)
        }
        return conflict
    }
}

extension Schedule {
    /// Records in `clock` all that the current work item has done so far.
    func release(into clock: inout ScheduledClock) {
        guard settings.findsRaces, let workItem = worker?.workItem else { return }
        orderAsTask(workItem)
        clock.join(workItem.clock)
        tick(workItem)
    }

    func tick(_ workItem: ScheduledWorkItem) {
        workItem.clock.tick(workItem.number)
        moments.tick(workItem.number)
    }

    /// Orders a task after all that was done before: the runtime does not report what it waited for if that had already ended.
    private func orderAsTask(_ workItem: ScheduledWorkItem) {
        if workItem.queue === tasks { workItem.clock.join(moments) }
    }

    /// Orders the moments of `clock` before all that the current work item does from now on.
    func acquire(_ clock: ScheduledClock) {
        guard settings.findsRaces else { return }
        worker?.workItem?.clock.join(clock)
    }

    /// Records an access by the current work item, and reports one that no hand-over orders with it.
    func access(_ accesses: inout ScheduledAccesses, isWrite: Bool, _ what: String) {
        guard settings.findsRaces, let workItem = worker?.workItem else { return }
        orderAsTask(workItem)
        let moment = ScheduledAccesses.Moment(
            workItem: workItem.number,
            time: workItem.clock.time(of: workItem.number),
            place: "work item \(workItem.number) on \(workItem.queue.label)"
        )
        guard let other = accesses.add(moment, isWrite: isWrite, after: workItem.clock) else { return }
        find(
            "\(what): \(moment.place) \(isWrite ? "writes" : "reads") it, and no hand-over orders that with \(other.place)"
        )
    }
}
#endif
