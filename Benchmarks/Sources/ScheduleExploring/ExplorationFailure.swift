import MultiIdentity

/// The code did not do what the rules say: by the shortest schedule that shows it, with what was expected and found.
package struct ExplorationFailure: Error, Sendable {
    /// The seed of the schedule; `nil` where the schedule was given.
    package let seed: UInt64?
    /// The shortest schedule that was found to fail; its last step is the one where it does.
    package let schedule: Schedule
    /// The number of steps in the schedule that failed first.
    package let stepsBefore: Int
    /// The number of runs that the search for a shorter one took.
    package let reruns: Int
    /// True if the schedule failed in the same way when it was run once more, in the end.
    package let isConfirmed: Bool
    /// The place where it failed: a worker, as `q1`, the step as a whole, or the end.
    package let place: String
    /// The thing that differed.
    package let what: String
    /// The outcome by the rules.
    package let expected: String
    /// The outcome of the code.
    package let found: String

    private let lines: [String]

    init(
        _ divergence: Divergence,
        _ schedule: Schedule,
        seed: UInt64?,
        stepsBefore: Int,
        reruns: Int,
        isConfirmed: Bool,
        explorer: ScheduleExplorer
    ) {
        self.seed = seed
        self.schedule = schedule
        self.stepsBefore = stepsBefore
        self.reruns = reruns
        self.isConfirmed = isConfirmed
        place = divergence.place
        what = divergence.what
        expected = divergence.expected
        found = divergence.found
        lines = schedule.steps.map { $0.prose(explorer.setup.identities) }
    }
}

extension ExplorationFailure: CustomStringConvertible {
    /// The seed, the steps as a person reads them, what was expected and found, and the line that replays it.
    package var description: String {
        let origin = seed.map { "Seed \($0) found" } ?? "Replayed"
        let shrunk = reruns > 0 ? ", shrunk from \(stepsBefore) in \(reruns) runs," : ""
        let numbered = lines.enumerated().map { index, line in "  \(index + 1). \(line)" }
        let doubt =
            isConfirmed
            ? []
            : ["It did not fail in the same way when it was run again: something outside the schedule takes part."]
        return
            ([
                "\(origin) a schedule of \(lines.count) step\(lines.count == 1 ? "" : "s")\(shrunk) that breaks the rules:"
            ] + numbered + [
                "After the last step, at \(place): \(what).",
                "  expected: \(expected)",
                "  found:    \(found)",
            ] + doubt + [
                "Replay: echo '\(schedule)' | identity-stress explore --replay -"
            ]).joined(separator: "\n")
    }
}
