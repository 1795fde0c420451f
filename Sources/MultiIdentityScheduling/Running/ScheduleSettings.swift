#if os(Linux)
/// Settings for schedules: how they are chosen, and how many run.
public struct ScheduleSettings: Sendable {
    /// A strategy, which chooses the work item that runs at each step.
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

        /// Chooses any of the work items that can run, with the same probability.
        /// - Parameter seed: The same seed makes the same schedules, in every process.
        /// - Returns: The strategy.
        public static func random(seed: UInt64) -> Strategy { Strategy(kind: .random(seed)) }

        /// Gives each work item a random priority, and lowers the current one's below all others after a few random steps.
        ///
        /// With n work items, k steps and d - 1 changes, one schedule finds a bug that depends on d orderings of steps with a
        /// probability of at least 1 / (n × k^(d - 1)) (source: Burckhardt and others, ASPLOS 2010). The report has the bound for the
        /// measured n and k, of the schedules since the longest one.
        /// - Parameters:
        ///   - seed: The same seed makes the same schedules, in every process.
        ///   - changes: The number of steps at which priorities change.
        /// - Returns: The strategy.
        public static func priorities(seed: UInt64, changes: Int = 2) -> Strategy {
            Strategy(kind: .priorities(seed, max(0, changes)))
        }

        /// Continues with the current work item, except at a few random steps.
        /// - Parameters:
        ///   - seed: The same seed makes the same schedules, in every process.
        ///   - count: The number of steps at which another work item runs.
        /// - Returns: The strategy.
        public static func delays(seed: UInt64, atMost count: Int) -> Strategy {
            Strategy(kind: .delays(seed, max(0, count)))
        }

        /// Tries each option at each step: for programs that are small enough to run all schedules.
        public static var exhaustive: Strategy { Strategy(kind: .exhaustive) }

        /// Explores each order of the steps that do not commute once: for larger programs than ``exhaustive``.
        ///
        /// Two steps commute if they access no queue, group, semaphore, item, lock, timer or ``RaceChecked`` value in common, or
        /// only hand over to a concurrent queue. Accesses to other memory (a global, a `Mutex`, an atomic) do not run in every order:
        /// make such values ``RaceChecked``.
        public static var everyOrder: Strategy { Strategy(kind: .everyOrder) }

        /// Repeats the choices of a schedule that failed before.
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

    /// The strategy that chooses schedules.
    public var strategy: Strategy
    /// The largest number of schedules.
    public var schedules: Int
    /// The largest number of work items that have begun and not ended, without those that wait; `nil` for any number.
    public var workers: Int?
    /// The number of threads of Swift's pool: if as many tasks block, no other begins; `nil` for the number of processors.
    public var poolWidth: Int?
    /// The time that work may take in one schedule.
    ///
    /// A timer, a timeout or a sleep that ends within it can end before work that could run, at most three times. With `.zero`
    /// time advances only when nothing else can run.
    public var workTime: Duration = .milliseconds(50)
    /// The largest number of choices in one schedule, at ten steps each; a schedule with more fails.
    public var steps = 100_000
    /// Indicates whether accesses to ``RaceChecked`` values are compared, which takes some time at each hand-over.
    public var findsRaces = false
    /// Indicates whether the same choices may lead to other steps, such as when the body iterates over a set of objects by address.
    ///
    /// If false, that is a failure. If true and it happens, the report is not complete, and a failure may not be found again.
    public var allowsDivergence = false
    /// The largest number of schedules that run to simplify a failing one.
    public var shrinking = 200
    /// The real time without a step after which the program is stopped, in milliseconds.
    public var patience: UInt32 = 10_000

    /// Creates settings.
    /// - Parameters:
    ///   - strategy: How schedules are chosen.
    ///   - schedules: The largest number of schedules.
    ///   - workers: The largest number of work items in progress; `nil` for any number.
    public init(_ strategy: Strategy, schedules: Int, workers: Int? = nil) {
        self.strategy = strategy
        self.schedules = max(1, schedules)
        self.workers = workers.map { max(1, $0) }
    }
}

/// The choices of one schedule, as text that can be stored and replayed.
public struct RecordedSchedule: Hashable, Sendable, LosslessStringConvertible {
    let choices: [Int]
    /// Hashes of the steps before each of them.
    let checks: [UInt8]

    init(_ choices: [Int], checks: [UInt8] = []) { (self.choices, self.checks) = (choices, checks) }

    /// Reads the text of ``description``; returns `nil` for any other text.
    /// - Parameter description: Numbers with dots between them, and after a slash a check of two hexadecimal digits for each.
    ///   Without checks, a replay does not notice other steps. An empty text always continues with the current work item.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = parts.first.map { $0.split(separator: ".", omittingEmptySubsequences: false) } ?? []
        let choices = numbers == [""] ? [] : numbers.map { UInt16($0) }
        let digits = parts.count == 2 ? parts[1].map(\.hexDigitValue) : []
        guard !choices.contains(nil), !digits.contains(nil) else { return nil }
        guard digits.count.isMultiple(of: 2), digits.count <= 2 * choices.count else { return nil }
        let halves = digits.compactMap { $0 }
        self.init(
            choices.compactMap { $0.map(Int.init) },
            checks: stride(from: 0, to: halves.count, by: 2).map { UInt8(halves[$0] << 4 | halves[$0 + 1]) }
        )
    }

    /// The choices: the index of the chosen work item at each step; after a slash the checks of the steps before each.
    public var description: String {
        let choices = choices.map(String.init).joined(separator: ".")
        let checks = checks.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return checks.isEmpty ? choices : "\(choices)/\(checks)"
    }
}
#endif
