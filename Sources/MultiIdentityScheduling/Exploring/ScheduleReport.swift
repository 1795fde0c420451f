#if os(Linux)
/// The result of running a body under many schedules.
public struct ScheduleReport: Sendable, CustomStringConvertible {
    /// A schedule with something wrong.
    public struct Failure: Sendable, CustomStringConvertible {
        /// The things that are wrong.
        public let findings: [String]
        /// The choices that lead there, as few as were found to.
        public let schedule: RecordedSchedule
        /// The steps that were taken.
        public let timeline: ScheduleTimeline
        /// The number of the schedule that was found first, from 0.
        public let number: Int
        /// The strategy that found it.
        public let strategy: String

        /// All of it, with the line that replays it.
        public var description: String {
            """
            Schedule \(number) (\(strategy)):
            \(findings.map { "  - \($0)" }.joined(separator: "\n"))
            \(timeline)
            Replay: MULTI_IDENTITY_SCHEDULE='\(schedule)'
            """
        }
    }

    /// The number of schedules that ran, redundant ones not counted.
    public let schedules: Int
    /// The number of those that turned out to be the same as one of them (``ScheduleSettings/Strategy/everyOrder``).
    public let redundant: Int
    /// True if no other schedule is possible.
    public let isComplete: Bool
    /// The first schedule with something wrong; `nil` if there is none.
    public let failure: Failure?
    /// A number that stands for all steps of all schedules: the same for the same seed, in every process.
    public let hash: UInt64
    /// The largest number of pieces and of choices that one schedule had.
    public let pieces: Int, steps: Int
    /// What the strategy promises, where it does.
    let bound: PriorityBound?
    /// True if there are more schedules, and the strategy takes each.
    let isCutShort: Bool

    /// The number of schedules, whether these are all, and where the strategy has one, the bound of its probability:
    /// "complete: 12 schedules".
    public var description: String {
        if let failure { return "\(failure)" }
        let others = redundant > 0 ? ", and \(redundant) that were the same as one of them" : ""
        let what = isComplete ? " (every order of hand-overs and intercepted locks)" : ""
        let bound = bound.map { "; \($0)" } ?? ""
        return "\(isComplete ? "complete" : "not complete"): \(schedules) schedules\(others)\(what)\(bound)"
    }
}

/// A schedule that cannot be run.
public struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault, and what to do.
    public let description: String
}
#endif
