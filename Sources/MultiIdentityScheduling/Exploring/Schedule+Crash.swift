#if os(Linux)
import CMultiIdentityScheduling
import Foundation

extension Schedule {
    /// Prints the steps before a signal that ends the program, and how to replay them.
    func printCrash(by signal: Int32) {
        let workItem = worker?.workItem.map { "work item \($0.number) on \($0.queue.label)" } ?? "a work item"
        let name = strsignal(signal).map { String(cString: $0) } ?? "signal \(signal)"
        var choices = steps.map(\.chosen)
        while choices.last == 0 { choices.removeLast() }
        let failure = ScheduleReport.Failure(
            findings: findings + ["\(workItem) ends the program: \(name)"],
            schedule: RecordedSchedule(choices),
            timeline: timeline,
            number: number,
            strategy: "\(settings.strategy)"
        )
        let text = Array("\nMultiIdentityScheduling: \(failure)\n".utf8)
        _ = write(2, text, text.count)
    }
}
#endif
