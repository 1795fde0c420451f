extension Report {
    /// The report for people.
    var table: String {
        let names = boundaries.map(\.name) + languageBoundaries.map(\.name)
        let width = max(names.map(\.count).max() ?? 0, "carried by the language".count)
        var lines = [
            Self.line("boundary", ["hops", "wrong", "ns/hop", "raw ns/hop", "ratio"], width)
        ]
        lines += boundaries.map { boundary in
            Self.line(
                boundary.name,
                [
                    Self.grouped(boundary.hops),
                    Self.grouped(boundary.wrong),
                    boundary.nanosecondsPerHop.map { Self.grouped(Int($0.rounded())) } ?? "",
                    boundary.rawNanosecondsPerHop.map { Self.grouped(Int($0.rounded())) } ?? "",
                    boundary.ratio.map { Self.hundredths($0) } ?? "",
                ],
                width
            )
        }
        if !languageBoundaries.isEmpty {
            lines += ["", Self.line("carried by the language", ["hops", "wrong"], width)]
            lines += languageBoundaries.map {
                Self.line($0.name, [Self.grouped($0.hops), Self.grouped($0.wrong)], width)
            }
        }
        return (lines + [""] + conclusion).joined(separator: "\n")
    }

    private var conclusion: [String] {
        let rate = workloadSeconds > 0 ? Int(Double(hops) / workloadSeconds) : 0
        var lines = [
            """
            \(Self.grouped(wrongIdentities)) wrong identities in \(Self.grouped(hops)) hops of \
            \(Self.grouped(requests)) requests, \(Self.hundredths(elapsedSeconds)) s (\(Self.grouped(rate)) hops/s \
            besides the timed blocks)
            """,
            "seed \(seed), workload \(workloadHash), ended by \(endedBy)",
        ]
        if meetingsTried > 0 {
            lines.append(
                "iterations of DispatchQueue.concurrentPerform met on two threads in \(meetingsHeld) of \(meetingsTried) attempts"
            )
        }
        if isRight { return lines }
        lines.append("")
        for (name, wrong, lost) in allResults where wrong != 0 || lost != 0 {
            let missing = lost == 0 ? "" : ", \(Self.grouped(lost)) pieces of work lost"
            lines.append("FAILED: \(name): \(Self.grouped(wrong)) wrong identities\(missing)")
        }
        if !mismatches.isEmpty { lines.append("The first mismatches:") }
        lines += mismatches.map { "  \($0)" }
        return lines
    }

    private var allResults: [(name: String, wrong: Int, lost: Int)] {
        boundaries.map { ($0.name, $0.wrong, $0.lost) } + languageBoundaries.map { ($0.name, $0.wrong, $0.lost) }
    }

    private static let columnWidth = 12

    private static func line(_ name: String, _ columns: [String], _ width: Int) -> String {
        columns.reduce(name + String(repeating: " ", count: max(0, width - name.count))) { line, column in
            line + String(repeating: " ", count: max(1, columnWidth - column.count)) + column
        }
    }

    /// With a comma after every third digit from the end.
    static func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        for position in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: position) }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// With two decimals.
    static func hundredths(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let decimals = String(hundredths % 100)
        return "\(grouped(hundredths / 100)).\(decimals.count < 2 ? "0" : "")\(decimals)"
    }
}

extension Report.Boundary {
    /// The carried hop against the raw one.
    var ratio: Double? {
        guard let nanosecondsPerHop, let rawNanosecondsPerHop, rawNanosecondsPerHop > 0 else { return nil }
        return nanosecondsPerHop / rawNanosecondsPerHop
    }
}
