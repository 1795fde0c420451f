/// A sequence of steps that several workers take, one at a time: what an exploration runs, and what a failure prints.
///
/// Its text is one step after another, each on a line or before a semicolon:
///
/// ```text
/// t1 bind #1; t1 async q1 w1; q1 run
/// ```
package struct Schedule: Hashable, Sendable {
    let steps: [ScheduledStep]

    init(_ steps: [ScheduledStep]) { self.steps = steps }

    /// Parses the text of a schedule.
    ///
    /// - Parameter text: What ``description`` writes; empty lines, and lines that begin with `//`, are skipped.
    /// - Throws: ``ScheduleError`` with the code ``ScheduleError/Code/malformedStep``, naming the step and its fault.
    package init(parsing text: String) throws(ScheduleError) {
        var steps: [ScheduledStep] = []
        for line in text.split(whereSeparator: \.isNewline) where !line.drop(while: \.isWhitespace).hasPrefix("//") {
            for part in line.split(separator: ";") where !part.allSatisfy(\.isWhitespace) {
                do {
                    steps.append(try ScheduledStep(parsing: part))
                } catch {
                    let shown = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    throw error.at(step: steps.count + 1, shown)
                }
            }
        }
        self.steps = steps
    }

    /// The number of steps.
    package var count: Int { steps.count }

    /// There is one serial queue, `q1`, and one concurrent one, `q2`.
    static let queues = 2
    static let mostThreads = 64
    static let mostWorks = 1_000_000
}

extension Schedule: CustomStringConvertible {
    /// The steps, each before a semicolon.
    package var description: String { steps.map { "\($0)" }.joined(separator: "; ") }
}
