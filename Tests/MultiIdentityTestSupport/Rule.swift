package import Testing

/// True if `Benchmarks/Schedules` runs the tests, with its own marks.
package let isUnderSchedules = false

extension Trait where Self == Comment {
    /// Marks a test, or each test of a suite, with the rules of Docs/Semantics.md that it covers, which are shown when it fails.
    ///
    /// `.ci/check-rules` reads these marks: a rule without a test is an error, and so is a mark of no rule.
    package static func rule(_ numbers: String...) -> Self {
        Comment(rawValue: "rule \(numbers.joined(separator: ", ")) of Docs/Semantics.md")
    }

    /// Marks a test with the rows of Docs/Guide.md that it covers, each by the text of its first column.
    ///
    /// `.ci/check-rules` reads these marks too: each row has one.
    package static func guide(_ rows: String...) -> Self {
        Comment(rawValue: "row \(rows.joined(separator: ", ")) of Docs/Guide.md")
    }
}
