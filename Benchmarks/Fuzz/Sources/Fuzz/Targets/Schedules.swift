import ScheduleExploring

/// The input is the text of a schedule.
///
/// What is parsed is written and parsed again as the same; a refusal names the step and its fault, in plain text.
enum Schedules {
    static func check(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        do {
            let schedule = try Schedule(parsing: text)
            let again = try Schedule(parsing: "\(schedule)")
            require(again == schedule, "\(schedule) became \(again)")
            require("\(again)" == "\(schedule)", "the text of \(schedule) changes")
            let lines = "\(schedule)".split(separator: ";").joined(separator: "\n// a line that is skipped\n\n")
            require((try? Schedule(parsing: lines)) == schedule, "lines are not what semicolons are")
        } catch {
            require(error.code == .malformedStep, "\(error.code)")
            require(error.message.hasPrefix("Step "), error.message)
            require(!error.message.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "a control character: \(error.message)")
        }
        return true
    }
}
