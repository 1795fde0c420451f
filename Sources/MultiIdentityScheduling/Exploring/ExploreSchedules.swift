#if os(Linux)
import CMultiIdentityScheduling
import Foundation

/// Runs a body under many schedules, and stops at the first one in which something is wrong.
///
/// Meanwhile it controls everything that the body hands over, and what that hands over in turn: one work item runs at a time, and
/// at each hand-over and each wait the strategy decides which. A schedule fails if the body throws, if `failures` returns
/// something, if work items deadlock or never run, if a work item leaves an identity on its worker, or if the same choices lead to
/// other steps than before. One body runs at a time in a process; unrelated work of the process is not controlled.
///
/// - Parameters:
///   - settings: How schedules are chosen, and how many.
///   - failures: Returns what went wrong since the last call, in addition to what the body throws.
///   - body: The program, run once for each schedule; it must create everything it uses each time.
/// - Returns: The report.
/// - Throws: ``ScheduleError`` if nothing can be controlled: in a program that is linked statically or built with the thread
///   sanitizer, where other code has taken a hook of Swift's executors, inside a schedule, and in a release build, unless the
///   environment has `MULTI_IDENTITY_SCHEDULING=release`.
/// - Complexity: 2 to 20 microseconds for each choice.
@concurrent
public func exploreSchedules(
    _ settings: ScheduleSettings,
    failures: @escaping @Sendable () -> [String] = { [] },
    _ body: @escaping @Sendable () async throws -> Void
) async throws -> ScheduleReport {
    try requireAll()
    #if !DEBUG
    guard let value = mi_scheduling_environment(), String(cString: value) == "release" else {
        throw ScheduleError(
            description: """
                Schedules are refused in a release build, since this product slows down what is linked with it. \
                Set MULTI_IDENTITY_SCHEDULING=release to run them anyway.
                """
        )
    }
    #endif
    if mi_scheduled_is_here() {
        throw ScheduleError(
            description: "Schedules cannot be nested, for example by two traits of one test. Remove one of them."
        )
    }
    let report = await ScheduleRunner(settings: settings, body: body, failures: failures).explore()
    try requireAll()
    return report
}

private func requireAll() throws(ScheduleError) {
    if let missing = SchedulingHooks.missing { throw ScheduleError(description: "Schedules need \(missing).") }
}

extension ScheduleSettings {
    /// Returns these settings, or settings that replay the schedule in the environment variable `MULTI_IDENTITY_SCHEDULE`.
    ///
    /// The traits do this themselves. A test that calls ``exploreSchedules(_:failures:_:)``, with XCTest or another library,
    /// uses it to replay a failure.
    /// - Returns: The settings.
    /// - Throws: ``ScheduleError`` if the variable does not contain a schedule.
    public func replaying() throws -> ScheduleSettings {
        guard let text = ProcessInfo.processInfo.environment["MULTI_IDENTITY_SCHEDULE"] else { return self }
        guard let schedule = RecordedSchedule(text) else {
            throw ScheduleError(
                description: "MULTI_IDENTITY_SCHEDULE is \"\(text)\"; copy it from the line Replay of a failure."
            )
        }
        var settings = self
        settings.strategy = .replay(schedule)
        return settings
    }
}
#endif
