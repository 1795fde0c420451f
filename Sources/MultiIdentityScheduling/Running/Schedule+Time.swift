#if os(Linux)
import CMultiIdentityScheduling

// Virtual time: it advances when nothing else can run and, if a setting allows it, before work that could.
extension Schedule {
    /// The largest number of times that time advances before work in one schedule, so that loops that sleep end.
    private static let mostEarly = 3

    /// The next moment at which a timer fires or a wait times out; `nil` if there is none.
    private var nextMoment: UInt64? {
        var next = timers.first?.time
        for worker in busy {
            if let deadline = worker.wait?.deadline, deadline > now, deadline < next ?? .max { next = deadline }
        }
        return next
    }

    /// Advances to the next moment at which something can happen; returns whether there is one.
    func goForwardInTime() -> Bool {
        // Endlessly repeating timers do not keep a schedule from ending.
        if hasBodyEnded, timers.allSatisfy(\.repeats), !busy.contains(where: { ($0.wait?.deadline ?? 0) > now }) {
            return false
        }
        guard let next = nextMoment else { return false }
        setTime(next)
        return true
    }

    private func setTime(_ time: UInt64) {
        mi_scheduled_set_time(max(now, time))
        while let timer = timers.first, timer.time <= now {
            timers.removeFirst()
            timer.happen()
        }
    }

    /// Adds time to the options if its next moment is so near that work may not have finished by then.
    func addTimeToOptions() {
        guard earlyMoments < Self.mostEarly, !hasBodyEnded, !options.isEmpty, let next = nextMoment,
            next <= now + (workTime - min(workTime, earlyTime))
        else { return }
        let workItem = clockItem ?? makeClockItem()
        clockItem = workItem
        options.append(Option(workItem: workItem, worker: nil, isTime: true))
    }

    private func makeClockItem() -> ScheduledWorkItem {
        let nothing = mi_scheduled_work(function: { _ in }, context: nil, item: nil, is_barrier: false)
        return ScheduledWorkItem(-1, on: tasks, nothing, priority: strategy.priority())
    }

    /// Advances time because it was chosen.
    func goForwardEarly() {
        guard let next = nextMoment else { return }
        hash.add(-1)
        earlyMoments += 1
        earlyTime += next - min(next, now)
        clockItem = nil
        setTime(next)
        accesses?.isTime = true
        note(.timePasses)
    }

    // MARK: Polling

    /// Puts work items that have polled often behind those that could have run all along.
    ///
    /// Source: Musuvathi and Qadeer, "Fair Stateless Model Checking" (PLDI 2008).
    func putPollersBehind() {
        guard options.contains(where: { $0.workItem.behind != nil }) else { return }
        let fair = options.filter { option in
            guard let since = option.workItem.behind else { return true }
            return !options.contains { other in
                other.workItem !== option.workItem && !other.isTime && other.workItem.made <= since
                    && other.workItem.lastStep <= since
            }
        }
        if !fair.isEmpty { options = fair }
    }

    /// Advances time if all work items that could run have polled often: they may wait for it.
    func goForwardForPollers() -> Bool {
        guard !options.isEmpty, options.allSatisfy({ $0.workItem.behind != nil }) else { return false }
        setTime(min(nextMoment ?? .max, Self.time(now, plus: max(1_000_000, now / 8))))
        timeHasPassed = true
        return true
    }
}
#endif
