#if os(Linux)
/// The way in which schedules are chosen, and their number.
public struct ScheduleSettings: Sendable {
    /// A way to choose the piece that goes on at each step.
    public struct Strategy: Sendable, CustomStringConvertible {
        enum Kind: Sendable {
            case random(UInt64)
            case priorities(UInt64, Int)
            case delays(UInt64, Int)
            case exhaustive
            case everyOrder
            case replay(RecordedSchedule)
        }

        let kind: Kind

        /// Chooses any of the pieces that can go on, with the same probability.
        /// - Parameter seed: The same seed makes the same schedules, in every process.
        /// - Returns: The strategy.
        public static func random(seed: UInt64) -> Strategy { Strategy(kind: .random(seed)) }

        /// Gives each piece a random priority, and lets the one that runs fall below all others at a few random steps.
        ///
        /// With n pieces, k steps and d - 1 changes a bug that d orderings make is found by one schedule with a probability of
        /// at least 1 / (n × k^(d - 1)) (source: Burckhardt and others, ASPLOS 2010).
        /// - Parameters:
        ///   - seed: The same seed makes the same schedules, in every process.
        ///   - changes: The number of steps at which priorities change.
        /// - Returns: The strategy.
        public static func priorities(seed: UInt64, changes: Int = 2) -> Strategy {
            Strategy(kind: .priorities(seed, max(0, changes)))
        }

        /// Goes on with what runs, but for a few random steps.
        /// - Parameters:
        ///   - seed: The same seed makes the same schedules, in every process.
        ///   - count: The number of steps at which another piece goes on.
        /// - Returns: The strategy.
        public static func delays(seed: UInt64, atMost count: Int) -> Strategy {
            Strategy(kind: .delays(seed, max(0, count)))
        }

        /// Takes each choice at each step, one after the other: for small programs, whose schedules are all gone through.
        public static var exhaustive: Strategy { Strategy(kind: .exhaustive) }

        /// Takes each order of the steps that do not commute, once: for larger programs than ``exhaustive``.
        ///
        /// Two steps commute if they touch no queue, group, semaphore, item, lock, timer or ``RaceChecked`` value in common, or
        /// only hand over to a concurrent queue. So what a program finds out by the order of accesses to other memory (a global,
        /// a `Mutex`, an atomic) is not seen in every order: let such values be ``RaceChecked``.
        public static var everyOrder: Strategy { Strategy(kind: .everyOrder) }

        /// Takes the choices of a schedule that failed before.
        /// - Parameter schedule: The schedule.
        /// - Returns: The strategy.
        public static func replay(_ schedule: RecordedSchedule) -> Strategy { Strategy(kind: .replay(schedule)) }

        /// The strategy in words, with its seed.
        public var description: String {
            switch kind {
            case .random(let seed): "random, seed \(seed)"
            case .priorities(let seed, let changes): "priorities, seed \(seed), \(changes) changes"
            case .delays(let seed, let count): "delays, seed \(seed), at most \(count)"
            case .exhaustive: "exhaustive"
            case .everyOrder: "every order"
            case .replay: "replay"
            }
        }
    }

    /// The way in which schedules are chosen.
    public var strategy: Strategy
    /// The largest number of schedules.
    public var schedules: Int
    /// The largest number of pieces that have begun and not ended, those that wait not counted; `nil` for any number.
    public var workers: Int?
    /// The number of threads of Swift's pool: where as many tasks block, no other begins; `nil` for the number of processors.
    public var poolWidth: Int?
    /// The time that work may take in one schedule.
    ///
    /// A timer, a time-out or a sleep that ends within it can end before work that could go on, three times at most. With `.zero`
    /// time goes on only where nothing else can.
    public var workTime: Duration = .milliseconds(50)
    /// The largest number of choices in one schedule, at ten steps each, beyond which it fails.
    public var steps = 100_000
    /// True if accesses to ``RaceChecked`` values are compared, which takes some time at each hand-over.
    public var findsRaces = false
    /// The largest number of schedules that are run to make a failing one plainer.
    public var shrinking = 200
    /// The real time without any step after which the program is stopped, in milliseconds.
    public var patience: UInt32 = 10_000

    /// Makes settings.
    /// - Parameters:
    ///   - strategy: How schedules are chosen.
    ///   - schedules: The largest number of schedules.
    ///   - workers: The largest number of pieces under way; `nil` for any number.
    public init(_ strategy: Strategy, schedules: Int, workers: Int? = nil) {
        self.strategy = strategy
        self.schedules = max(1, schedules)
        self.workers = workers.map { max(1, $0) }
    }
}

/// The choices of one schedule, as text to be kept and replayed.
public struct RecordedSchedule: Hashable, Sendable, LosslessStringConvertible {
    let choices: [Int]

    init(_ choices: [Int]) { self.choices = choices }

    /// Reads what ``description`` wrote; `nil` for any other text.
    /// - Parameter description: Numbers with dots between them; empty for the schedule that goes on with what runs.
    public init?(_ description: String) {
        let texts = description.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = description.isEmpty ? [] : texts.map { UInt16($0) }
        guard !numbers.contains(nil) else { return nil }
        self.init(numbers.compactMap { $0.map(Int.init) })
    }

    /// The choices: at each step the number of the piece that goes on.
    public var description: String { choices.map(String.init).joined(separator: ".") }
}
#endif
