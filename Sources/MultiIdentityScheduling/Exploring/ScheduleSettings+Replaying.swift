#if os(Linux)
import Foundation

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
