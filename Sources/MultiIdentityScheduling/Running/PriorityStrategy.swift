#if os(Linux)
/// Runs the strand with the highest random priority; after a few random steps, the strand that took the step gets the lowest.
///
/// A strand is a work item with all that `sync` runs inside it. A step is what a strand does until another one could run, or does:
/// lowering a priority after a step at whose end nothing else can run equals lowering it after the next one.
///
/// Source: Burckhardt and others, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (ASPLOS 2010).
struct PriorityStrategy: SchedulingStrategy {
    private let seed: UInt64
    private let changes: Int
    private var schedule: UInt64 = 0
    private var generator: SeededGenerator
    private var strands = 0, steps = 0
    private var most = (strands: 0, steps: 0)
    /// The number of schedules that were drawn since the longest one so far.
    private var drawn = 0
    private var lastStrand: Int?
    /// The steps at which priorities change, from 1: of two, the earlier entry falls less, whichever step comes first.
    private var changePoints: [Int] = []
    let seesEveryStep = true

    // The first schedule shows how many steps there are.
    init(seed: UInt64, changes: Int) {
        self.seed = seed
        self.changes = changes
        generator = SeededGenerator(seed: seed)
    }

    mutating func priority() -> UInt64 {
        strands += 1
        return max(generator.next(), UInt64(changes) + 1)
    }

    mutating func choose(_ options: [Schedule.Option]) -> Int {
        var best = 0
        for index in options.indices
        where options[index].workItem.strand.priority > options[best].workItem.strand.priority { best = index }
        let strand = options[best].workItem.strand
        if options.count > 1 || strand.number != lastStrand {
            steps += 1
            lastStrand = strand.number
            if let change = changePoints.lastIndex(of: steps) { strand.priority = UInt64(changes - change) }
        }
        return best
    }

    mutating func next(after _: [ScheduleStep]) -> Bool {
        drawn = steps > most.steps ? 0 : drawn + 1
        most = (max(most.strands, strands), max(most.steps, steps))
        schedule += 1
        generator = SeededGenerator(seed: seed &+ schedule &* 0xD1B5_4A32_D192_ED03)
        (strands, steps, lastStrand) = (0, 0, nil)
        changePoints = (0..<changes).map { _ in 1 + generator.next(below: max(1, most.steps)) }
        return true
    }

    var bound: PriorityBound? {
        drawn == 0 ? nil : PriorityBound(strands: most.strands, steps: most.steps, changes: changes, schedules: drawn)
    }
}

/// The guarantee for each of the last schedules: a bug that depends on d orderings of n strands with k steps is found with a
/// probability of at least 1 / (n × k^(d - 1)), for d - 1 changes.
///
/// It assumes that no schedule has more strands or steps, so schedules that were drawn for fewer steps do not count.
struct PriorityBound: Hashable, Sendable, CustomStringConvertible {
    let strands: Int
    let steps: Int
    let changes: Int
    /// The number of schedules that it applies to: the last ones.
    let schedules: Int

    /// One schedule in this many finds the bug.
    var odds: Double { (0..<changes).reduce(Double(strands)) { odds, _ in odds * Double(steps) } }

    var description: String {
        """
        each of the last \(schedules) finds a bug that \(changes + 1) orderings make with a probability of at least 1 in \
        \(Int(exactly: odds).map(String.init) ?? "\(odds)") (\(strands) work items, \(steps) steps)
        """
    }
}
#endif
