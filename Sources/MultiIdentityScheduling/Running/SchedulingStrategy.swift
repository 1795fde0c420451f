#if os(Linux)
/// Decides at each step of a schedule which of the possible work items runs.
protocol SchedulingStrategy {
    /// Chooses the work item that runs.
    /// - Parameter options: The work items that can run, at least two; the current one first, if it can.
    /// - Returns: Its index.
    mutating func choose(_ options: [Schedule.Option]) -> Int

    /// Returns the priority of a work item that is handed over.
    mutating func priority() -> UInt64

    /// True if it also chooses at steps with one option.
    var seesEveryStep: Bool { get }

    /// True if it also receives what each step accessed.
    var isReducing: Bool { get }
    mutating func ended(_ accesses: StepAccesses)

    /// True once what follows is equivalent to an earlier schedule.
    var isRedundant: Bool { get }

    /// Prepares for the next schedule; returns false if there is none.
    mutating func next(after steps: [ScheduleStep]) -> Bool

    /// The number of first choices for which the next schedule has the same options as the one before.
    var repeated: Int { get }

    /// What it guarantees for the schedules so far.
    var bound: PriorityBound? { get }
}

extension SchedulingStrategy {
    mutating func priority() -> UInt64 { 0 }
    var seesEveryStep: Bool { isReducing }
    var isReducing: Bool { false }
    mutating func ended(_ accesses: StepAccesses) {}
    var isRedundant: Bool { false }
    var repeated: Int { 0 }
    var bound: PriorityBound? { nil }
}

/// A choice that a schedule made.
struct ScheduleStep: Hashable, Sendable {
    let chosen: Int
    let count: Int
    /// Equal in two schedules, except by chance, only if their steps before this choice and their options were equal.
    let check: UInt8
}

/// SplitMix64 (Steele, Lea and Flood, 2014), as in MultiIdentityTesting: the same seed gives the same numbers everywhere.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number below a limit, all with the same probability.
    mutating func next(below limit: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(limit)).high) }
}

/// Chooses any work item that can run, with the same probability.
struct RandomStrategy: SchedulingStrategy {
    private let seed: UInt64
    private var schedule: UInt64 = 0
    private var generator: SeededGenerator

    init(seed: UInt64) {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
    }

    mutating func choose(_ options: [Schedule.Option]) -> Int {
        generator.next(below: options.count)
    }

    mutating func next(after steps: [ScheduleStep]) -> Bool {
        schedule += 1
        generator = SeededGenerator(seed: seed &+ schedule &* 0xD1B5_4A32_D192_ED03)
        return true
    }
}

/// Continues with the current work item, or with the oldest, except at a few random steps.
struct DelayStrategy: SchedulingStrategy {
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

    mutating func choose(_ options: [Schedule.Option]) -> Int {
        defer { step += 1 }
        return delayed.contains(step) ? 1 + generator.next(below: options.count - 1) : 0
    }

    // The first schedule has no delays.
    mutating func next(after steps: [ScheduleStep]) -> Bool {
        schedule += 1
        length = max(length, steps.count)
        generator = SeededGenerator(seed: seed &+ schedule &* 0xD1B5_4A32_D192_ED03)
        step = 0
        delayed = (0..<delays).map { _ in generator.next(below: length) }
        return true
    }
}

/// Tries each option at each step, depth first.
struct ExhaustiveStrategy: SchedulingStrategy {
    private var path: [Int] = []
    private var step = 0

    mutating func choose(_ options: [Schedule.Option]) -> Int {
        defer { step += 1 }
        // A body can differ from run to run: the runner notices that.
        return step < path.count ? min(path[step], options.count - 1) : 0
    }

    var repeated: Int { path.count }

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

/// Repeats the choices of a recorded schedule; after its end, continues with the current work item or the oldest.
struct ReplayStrategy: SchedulingStrategy {
    private let choices: [Int]
    private var step = 0

    init(_ choices: [Int]) { self.choices = choices }

    mutating func choose(_ options: [Schedule.Option]) -> Int {
        defer { step += 1 }
        return step < choices.count ? min(choices[step], options.count - 1) : 0
    }

    mutating func next(after steps: [ScheduleStep]) -> Bool { false }
}
#endif
