#if os(Linux)
/// Decides at each step of a schedule which piece goes on, out of those that can.
protocol ScheduleChooser {
    /// Chooses the piece that goes on.
    /// - Parameters:
    ///   - options: The pieces that can, at least two: the one that runs first, if it can.
    ///   - goesOn: True if the first one is the one that runs already.
    /// - Returns: Its index.
    mutating func choose(_ options: [Schedule.Option], firstGoesOn goesOn: Bool) -> Int

    /// The priority of a piece that is handed over.
    mutating func priority() -> UInt64

    /// True if it chooses at steps with one choice too, and is told what each step touched.
    var isReducing: Bool { get }
    mutating func ended(_ touches: ScheduledTouches)

    /// True once what follows is the same as a schedule before.
    var isRedundant: Bool { get }

    /// Prepares for the next schedule; returns false where there is no further one.
    mutating func next(after steps: [ScheduleStep]) -> Bool
}

extension ScheduleChooser {
    mutating func priority() -> UInt64 { 0 }
    var isReducing: Bool { false }
    mutating func ended(_ touches: ScheduledTouches) {}
    var isRedundant: Bool { false }
}

/// A choice that a schedule made.
struct ScheduleStep: Hashable, Sendable {
    let chosen: Int
    let count: Int
}

/// SplitMix64 (Steele, Lea and Flood, 2014), as MultiIdentityTesting has it: the same seed draws the same everywhere.
private struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number below a limit, all of them with the same probability.
    mutating func next(below limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }
}

/// Any piece that can go on, with the same probability.
struct RandomChooser: ScheduleChooser {
    private let seed: UInt64
    private var schedule: UInt64 = 0
    private var generator: SeededGenerator

    init(seed: UInt64) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
    }

    mutating func choose(_ options: [Schedule.Option], firstGoesOn: Bool) -> Int {
        generator.next(below: options.count)
    }

    mutating func next(after steps: [ScheduleStep]) -> Bool {
        schedule += 1
        generator = SeededGenerator(seed: seed &+ schedule &* 0xD1B5_4A32_D192_ED03)
        return true
    }
}

/// The piece with the highest priority, which are drawn; at a few drawn steps the one that runs falls below all others.
///
/// Source: Burckhardt and others, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs" (ASPLOS 2010).
struct PriorityChooser: ScheduleChooser {
    private let seed: UInt64
    private let changes: Int
    private var schedule: UInt64 = 0
    private var generator: SeededGenerator
    private var step = 0
    private var changePoints: [Int] = []
    /// The length of the longest schedule so far, out of which the steps are drawn.
    private var length = 16
    private var lowest: UInt64 = 1 << 20

    init(seed: UInt64, changes: Int) {
        self.seed = seed
        self.changes = changes
        generator = SeededGenerator(seed: seed)
        drawChangePoints()
    }

    private mutating func drawChangePoints() {
        changePoints = (0..<changes).map { _ in generator.next(below: length) }
    }

    mutating func priority() -> UInt64 { (1 << 32) | (generator.next() >> 32) }

    mutating func choose(_ options: [Schedule.Option], firstGoesOn: Bool) -> Int {
        if firstGoesOn, changePoints.contains(step) {
            lowest -= 1
            options[0].piece.priority = lowest
        }
        step += 1
        var best = 0
        for index in options.indices where options[index].piece.priority > options[best].piece.priority { best = index }
        return best
    }

    mutating func next(after steps: [ScheduleStep]) -> Bool {
        schedule += 1
        length = max(length, steps.count)
        generator = SeededGenerator(seed: seed &+ schedule &* 0xD1B5_4A32_D192_ED03)
        (step, lowest) = (0, 1 << 20)
        drawChangePoints()
        return true
    }
}

/// Goes on with what runs, or with the oldest, but for a few drawn steps.
struct DelayChooser: ScheduleChooser {
    private let seed: UInt64
    private let delays: Int
    private var schedule: UInt64 = 0
    private var generator: SeededGenerator
    private var step = 0
    private var length = 16
    private var delayed: [Int] = []

    init(seed: UInt64, delays: Int) {
        self.seed = seed
        self.delays = delays
        generator = SeededGenerator(seed: seed)
    }

    mutating func choose(_ options: [Schedule.Option], firstGoesOn: Bool) -> Int {
        defer { step += 1 }
        return delayed.contains(step) ? 1 + generator.next(below: options.count - 1) : 0
    }

    // The first one is delayed nowhere.
    mutating func next(after steps: [ScheduleStep]) -> Bool {
        schedule += 1
        length = max(length, steps.count)
        generator = SeededGenerator(seed: seed &+ schedule &* 0xD1B5_4A32_D192_ED03)
        step = 0
        delayed = (0..<delays).map { _ in generator.next(below: length) }
        return true
    }
}

/// Each choice at each step, depth first.
struct ExhaustiveChooser: ScheduleChooser {
    private var path: [Int] = []
    private var step = 0

    mutating func choose(_ options: [Schedule.Option], firstGoesOn: Bool) -> Int {
        defer { step += 1 }
        // A body can differ from run to run, as where its first run makes something for the process.
        return step < path.count ? min(path[step], options.count - 1) : 0
    }

    mutating func next(after steps: [ScheduleStep]) -> Bool {
        step = 0
        var steps = steps
        while let last = steps.popLast() {
            guard last.chosen + 1 < last.count else { continue }
            path = steps.map(\.chosen) + [last.chosen + 1]
            return true
        }
        return false
    }
}

/// The choices of a schedule that was recorded; beyond its end, goes on with what runs or with the oldest.
struct ReplayChooser: ScheduleChooser {
    private let choices: [Int]
    private var step = 0

    init(_ choices: [Int]) { self.choices = choices }

    mutating func choose(_ options: [Schedule.Option], firstGoesOn: Bool) -> Int {
        defer { step += 1 }
        return step < choices.count ? min(choices[step], options.count - 1) : 0
    }

    mutating func next(after steps: [ScheduleStep]) -> Bool { false }
}
#endif
