/// Finds a shorter, plainer schedule that fails as well: delta debugging, and then one simplification at a time.
struct ScheduleShrinker {
    /// Runs a schedule: its steps up to where it fails, or `nil` if it does not.
    let failing: ([ScheduledStep]) -> [ScheduledStep]?
    /// The most runs that may follow.
    let mostReruns: Int
    private(set) var reruns = 0
    private(set) var steps: [ScheduledStep]

    /// - Parameters:
    ///   - steps: A schedule that fails, up to where it does.
    ///   - mostReruns: How many runs may be spent.
    ///   - failing: Runs a schedule.
    init(_ steps: [ScheduledStep], mostReruns: Int, failing: @escaping ([ScheduledStep]) -> [ScheduledStep]?) {
        self.steps = steps
        self.mostReruns = mostReruns
        self.failing = failing
    }

    /// Shrinks until nothing can be taken away or made plainer, or the runs are spent.
    mutating func shrink() {
        removeChunks()
        repeat {
            while removeOne() {}
        } while simplifyOne() || removePair()
        renumber()
    }

    /// Keeps `candidate` and returns true if it fails as well, and is shorter or plainer where it does.
    private mutating func keeps(_ candidate: [ScheduledStep]) -> Bool {
        guard reruns < mostReruns else { return false }
        reruns += 1
        guard let shorter = failing(candidate), (shorter.count, shorter.weight) < (steps.count, steps.weight) else {
            return false
        }
        steps = shorter
        return true
    }

    private mutating func removeChunks() {
        var size = steps.count / 2
        while size > 1 {
            var start = 0
            while start < steps.count {
                var candidate = steps
                candidate.removeSubrange(start..<min(start + size, steps.count))
                // What is left has moved up, so that the next chunk begins where this one did.
                if !keeps(candidate) { start += size }
            }
            size /= 2
        }
    }

    private mutating func removeOne() -> Bool {
        for index in steps.indices.reversed() {
            var candidate = steps
            candidate.remove(at: index)
            if keeps(candidate) { return true }
        }
        return false
    }

    /// Opening a scope and leaving it can only go together.
    private mutating func removePair() -> Bool {
        for first in steps.indices {
            for second in steps.indices.dropFirst(first + 1) {
                var candidate = steps
                candidate.remove(at: second)
                candidate.remove(at: first)
                if keeps(candidate) { return true }
            }
        }
        return false
    }

    private mutating func simplifyOne() -> Bool {
        for candidate in plainer(steps) where keeps(candidate) { return true }
        return false
    }

    /// Numbers threads and work as they appear; what a schedule does is the same.
    private mutating func renumber() {
        var works: [Int: Int] = [:]
        let renumbered = steps.map { step in
            step.mapping { work in
                if let known = works[work] { return known }
                works[work] = works.count + 1
                return works.count
            }
        }
        if renumbered != steps, reruns < mostReruns {
            reruns += 1
            if failing(renumbered) == renumbered { steps = renumbered }
        }
    }
}
