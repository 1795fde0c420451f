/// An exploration that found nothing wrong.
package struct Exploration: Sendable {
    /// The steps that were taken, without those that bring everything to its end.
    package let schedule: Schedule
    /// A line a step: who did what, and what was found at every worker afterwards.
    ///
    /// The same seed gives the same trace, byte for byte.
    package let trace: String
    /// The number of steps taken, with the last ones, which leave every scope, run what is pending and release the rest.
    package let stepsTaken: Int

    init(_ run: ScheduleRun) {
        schedule = Schedule(Array(run.steps.prefix(run.scheduled)))
        trace = run.trace.joined(separator: "\n")
        stepsTaken = run.steps.count
    }
}
