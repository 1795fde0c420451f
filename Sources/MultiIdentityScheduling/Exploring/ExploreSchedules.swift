#if os(Linux)
import CMultiIdentityScheduling
import Foundation

/// Runs a body under many schedules, and stops at the first with something wrong.
///
/// While it runs, all that the body hands over, and what that hands over in turn, is controlled: one piece of it goes on at a
/// time, and at each hand-over and each wait the strategy says which. A schedule has something wrong if the body throws, if
/// `failures` returns something, if pieces wait for each other for ever or never run, if a piece leaves an identity to its
/// worker, or if the same choices come to other steps than before. One body runs at a time in a process; what others do meanwhile is
/// not controlled.
///
/// - Parameters:
///   - settings: How schedules are chosen, and how many.
///   - failures: Returns what went wrong since it was asked last, beyond what the body throws.
///   - body: The program, run once for each schedule: what it uses has to be new each time.
/// - Returns: What came of it.
/// - Throws: ``ScheduleError`` where nothing can be controlled: in a program that is linked statically or built with the thread
///   sanitizer, inside a schedule, and in a release build, unless the environment has `MULTI_IDENTITY_SCHEDULING=release`.
/// - Complexity: Some 2 to 20 microseconds for each choice.
@concurrent
public func exploreSchedules(
    _ settings: ScheduleSettings,
    failures: @escaping @Sendable () -> [String] = { [] },
    _ body: @escaping @Sendable () async throws -> Void
) async throws -> ScheduleReport {
    if let missing = SchedulingHooks.missing {
        throw ScheduleError(description: "Nothing can be controlled without \(missing).")
    }
    #if !DEBUG
    guard let value = mi_scheduling_environment(), String(cString: value) == "release" else {
        throw ScheduleError(
            description: """
                This is a release build, where schedules are refused, since whatever is linked with this product is slower. \
                Set MULTI_IDENTITY_SCHEDULING=release to run them all the same.
                """
        )
    }
    #endif
    if mi_scheduled_is_here() {
        throw ScheduleError(
            description: "Schedules of a schedule were asked for, as by two traits of one test. Leave one of them out."
        )
    }
    return await ScheduleRunner(settings: settings, body: body, failures: failures).explore()
}

extension ScheduleSettings {
    /// These settings; or, where the environment has `MULTI_IDENTITY_SCHEDULE`, those that run the schedule in it alone.
    ///
    /// The traits ask this by themselves; a test that calls ``exploreSchedules(_:failures:_:)``, with XCTest or any other
    /// library, replays by it what has failed.
    /// - Returns: The settings.
    /// - Throws: ``ScheduleError`` if the variable is no schedule.
    public func replaying() throws -> ScheduleSettings {
        guard let text = ProcessInfo.processInfo.environment["MULTI_IDENTITY_SCHEDULE"] else { return self }
        guard let schedule = RecordedSchedule(text) else {
            throw ScheduleError(
                description: "MULTI_IDENTITY_SCHEDULE is \"\(text)\"; it takes numbers with dots between them."
            )
        }
        var settings = self
        settings.strategy = .replay(schedule)
        return settings
    }
}
#endif
