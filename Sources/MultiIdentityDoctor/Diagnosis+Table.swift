extension Diagnosis: CustomStringConvertible {
    /// A table as text: a line for each boundary, and the problems at the end.
    public var description: String {
        let rows = findings.map { finding in
            [finding.boundary, finding.plain.description, finding.carried.description, finding.captured ?? "–"]
                + (finding.companions.map { [$0.description] } ?? [])
        }
        let heads =
            ["boundary", "plain Swift", "this package", "captured when"]
            + (findings.contains { $0.companions != nil } ? ["companions"] : [])
        let widths = heads.indices.map { column in ([heads] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([heads] + rows).map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
        return (["\(platform)"] + lines.map(Self.withoutTrailingSpace) + ["", conclusion]).joined(separator: "\n")
    }

    private var conclusion: String {
        let ill = findings.filter { !$0.isHealthy }
        let there = findings.filter { $0.carried.outcome != .missing }
        if ill.isEmpty { return "Kept at \(there.count) of \(there.count) boundaries that were examined." }
        let names = ill.map { finding in
            "FAILED: \(finding.boundary): \(finding.carried)" + (finding.companions.map { ", companions \($0)" } ?? "")
        }.joined(separator: "\n")
        return "\(names)\nNot kept at \(ill.count) of \(there.count) boundaries."
    }

    private static func withoutTrailingSpace(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }
}

extension Diagnosis.Platform: CustomStringConvertible {
    /// The platform in the form `Linux, x86-64, Swift 6.3`.
    public var description: String { "\(system), \(architecture), Swift \(swift)" }
}
