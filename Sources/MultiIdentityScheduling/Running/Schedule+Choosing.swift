#if os(Linux)
import CMultiIdentityScheduling

// The choices of a schedule, and the comparison with those of another run.
extension Schedule {
    /// Returns the index of the chosen option.
    func choose() -> Int {
        guard options.count > 1 else { return seesEveryStep ? strategy.choose(options) : 0 }
        for option in options { hash.add(option.begins ? ~option.workItem.number : option.workItem.number) }
        let check = UInt8(truncatingIfNeeded: hash.value ^ hash.value >> 32)
        if divergence == nil, steps.count < expected.count, expected[steps.count] != check {
            let workItems = options.prefix(4).map { "work item \($0.workItem.number) on \($0.workItem.queue.label)" }
            divergence =
                "at choice \(steps.count + 1) of \(expected.count), among \(options.count): \(workItems.joined(separator: ", "))"
        }
        let chosen = strategy.choose(options)
        steps.append(ScheduleStep(chosen: chosen, count: options.count, check: check))
        return chosen
    }

    /// The first choice at which this ended run differs from the one that it repeats; `nil` if it does not.
    var difference: String? {
        guard divergence == nil, steps.count < expected.count else { return divergence }
        return "at choice \(steps.count + 1) of \(expected.count), before which it ended"
    }
}
#endif
