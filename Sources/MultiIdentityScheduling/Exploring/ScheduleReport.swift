#if os(Linux)
/// The result of running a body under many schedules.
public struct ScheduleReport: Sendable, CustomStringConvertible {
    /// A schedule in which something is wrong.
    public struct Failure: Sendable, CustomStringConvertible {
        /// What is wrong.
        public let findings: [String]
        /// The choices that lead to it, as few as were found.
        public let schedule: RecordedSchedule
        /// The steps that were taken.
        public let timeline: ScheduleTimeline
        /// The number of the schedule that first failed, from 0.
        public let number: Int
        /// The strategy that found it.
        public let strategy: String

        /// The complete failure, with the line that replays it.
        public var description: String {
            """
            Schedule \(number) (\(strategy)):
            \(findings.map { "  - \($0)" }.joined(separator: "\n"))
            \(timeline)
            Replay: MULTI_IDENTITY_SCHEDULE='\(schedule)'
            """
        }
    }

    /// The number of schedules that ran, without redundant ones.
    public let schedules: Int
    /// The number of redundant schedules, which were equivalent to another one (``ScheduleSettings/Strategy/everyOrder``).
    public let redundant: Int
    /// Indicates whether no other schedule is possible.
    public let isComplete: Bool
    /// The first schedule in which something is wrong; `nil` if there is none.
    public let failure: Failure?
    /// A hash of all steps of all schedules: the same for the same seed, in every process.
    public let hash: UInt64
    /// The largest number of work items and of choices in one schedule.
    public let workItems: Int, steps: Int
    /// The probability that the strategy promises, if it does.
    let bound: PriorityBound?
    /// True if there are more schedules and the strategy covers all of them.
    let isCutShort: Bool

    /// The failure; without one, whether all schedules ran, their number, and the probability bound if the strategy has one.
    public var description: String {
        if let failure { return "\(failure)" }
        let others = redundant > 0 ? ", and \(redundant) that were the same as one of them" : ""
        let what = isComplete ? " (every order of hand-overs and intercepted locks)" : ""
        let bound = bound.map { "; \($0)" } ?? ""
        return "\(isComplete ? "complete" : "not complete"): \(schedules) schedules\(others)\(what)\(bound)"
    }
}

/// The reason why schedules cannot be run.
public struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do.
    public let description: String
}
#endif
