#if os(Linux)
import CMultiIdentityScheduling

/// Runs a body under many schedules, and stops at the first with something wrong.
///
/// While it runs, all that the body hands over, and what that hands over in turn, is controlled: one piece of it goes on at a
/// time, and at each hand-over and each wait the strategy says which. A schedule has something wrong if the body throws, if
/// `failures` returns something, if pieces wait for each other for ever or never run, or if a piece leaves an identity to its
/// worker. One body runs at a time in a process; what others do meanwhile is not controlled.
///
/// - Parameters:
///   - settings: How schedules are chosen, and how many.
///   - failures: Returns what went wrong since it was asked last, beyond what the body throws.
///   - body: The program, run once for each schedule: what it uses has to be new each time.
/// - Returns: What came of it.
/// - Throws: ``ScheduleError`` where nothing can be controlled: in a program that is linked statically or built with the thread
///   sanitizer, and in a release build, unless the environment has `MULTI_IDENTITY_SCHEDULING=release`.
/// - Complexity: Some 2 to 20 microseconds for each choice.
@concurrent
public func exploreSchedules(
    _ settings: ScheduleSettings,
    failures: @escaping @Sendable () -> [String] = { [] },
    _ body: @escaping @Sendable () async throws -> Void
) async throws -> ScheduleReport {
    if mi_scheduling_is_sanitized() {
        throw ScheduleError(
            description: """
                The thread sanitizer takes Dispatch's entry points itself, so that no schedule would control them. Run schedules \
                in a build without it; ScheduleSettings.findsRaces finds races of marked values there.
                """
        )
    }
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
    return await ScheduleRunner(settings: settings, body: body, failures: failures).explore()
}
#endif
