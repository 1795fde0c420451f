extension Report {
    /// The report for people.
    var table: String {
        let language = "carried by the language"
        let width = max((boundaries + languageBoundaries).map(\.name.count).max() ?? 0, language.count)
        func rows(_ head: String, _ boundaries: [Boundary]) -> [String] {
            [Self.line(head, ["hops", "wrong"], width)]
                + boundaries.map { Self.line($0.name, [Self.grouped($0.hops), Self.grouped($0.wrong)], width) }
        }
        var lines = rows("boundary", boundaries)
        if !languageBoundaries.isEmpty { lines += [""] + rows(language, languageBoundaries) }
        return (lines + [""] + conclusion).joined(separator: "\n")
    }

    private var conclusion: [String] {
        let rate = elapsedSeconds > 0 ? Int(Double(hops) / elapsedSeconds) : 0
        var lines = [
            """
            \(Self.grouped(wrongIdentities)) wrong identities in \(Self.grouped(hops)) hops of \
            \(Self.grouped(requests)) requests, \(Self.hundredths(elapsedSeconds)) s (\(Self.grouped(rate)) hops/s)
            """,
            "seed \(seed), workload \(workloadHash), ended by \(endedBy)",
        ]
        if isRight { return lines }
        lines.append("")
        for boundary in boundaries + languageBoundaries where boundary.wrong != 0 || boundary.lost != 0 {
            let missing = boundary.lost == 0 ? "" : ", \(Self.grouped(boundary.lost)) pieces of work lost"
            lines.append("FAILED: \(boundary.name): \(Self.grouped(boundary.wrong)) wrong identities\(missing)")
        }
        if !mismatches.isEmpty { lines.append("The first mismatches:") }
        lines += mismatches.map { "  \($0)" }
        return lines
    }

    private static let columnWidth = 12

    private static func line(_ name: String, _ columns: [String], _ width: Int) -> String {
        columns.reduce(name + String(repeating: " ", count: max(0, width - name.count))) { line, column in
            line + String(repeating: " ", count: max(1, columnWidth - column.count)) + column
        }
    }

    /// Returns the number with a comma between groups of three digits.
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        for position in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: position) }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// Returns the number with two decimals.
    static func hundredths(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let decimals = String(hundredths % 100)
        return "\(grouped(hundredths / 100)).\(decimals.count < 2 ? "0" : "")\(decimals)"
    }
}
