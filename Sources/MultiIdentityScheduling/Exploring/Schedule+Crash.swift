#if os(Linux)
import CMultiIdentityScheduling
import Foundation

extension Schedule {
    /// Prints what led to a signal that ends the program.
    static func crashed(by signal: Int32) {
        guard let schedule = current else { return }
        let piece = schedule.worker?.piece.map { "piece \($0.number) on \($0.queue.label)" } ?? "a piece"
        let name = strsignal(signal).map { String(cString: $0) } ?? "signal \(signal)"
        var choices = schedule.steps.map(\.chosen)
        while choices.last == 0 { choices.removeLast() }
        let failure = ScheduleReport.Failure(
            findings: schedule.findings + ["\(piece) ends the program: \(name)"],
            schedule: RecordedSchedule(choices),
            timeline: schedule.timeline,
            number: schedule.number,
            strategy: "\(schedule.settings.strategy)"
        )
        let text = Array("\nMultiIdentityScheduling: \(failure)\n".utf8)
        _ = write(2, text, text.count)
    }
}
#endif
