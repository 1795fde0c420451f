extension HopReport: CustomStringConvertible {
    /// A table in Markdown, with the seed below it.
    ///
    /// Figures are per hop; `floor` is the harness's own share of each.
    public var description: String {
        let heads = [
            "way", "part", "gauge", "median", "90 %", "floor", "against \(baseline)",
            "95 % sure", "verdict",
        ]
        let rule = heads.indices.map { (3...7).contains($0) ? "---:" : "---" }
        let rows = ([heads, rule] + lines.map(cells)).map { "| \($0.joined(separator: " | ")) |" }
        return (["**\(name)**", ""] + rows + ["", "\(setting)."]).joined(separator: "\n")
    }

    private func cells(of line: Line) -> [String] {
        let unit = line.unit.isEmpty ? "" : " \(line.unit)"
        let shown = [line.median, line.percentile90, line.floor].map { "\($0.fixed(1))\(unit)" }
        return [line.variant, "\(line.phase)", line.gauge] + shown + compared(line)
            + [line.verdict?.description ?? "–"]
    }

    /// The ratio and its interval; the difference, where there is no ratio.
    private func compared(_ line: Line) -> [String] {
        if let ratio = line.ratio {
            return [ratio.estimate.fixed(3), "\(ratio.lower.fixed(3)) to \(ratio.upper.fixed(3))"]
        }
        if let difference = line.difference {
            let sign = difference.estimate < 0 ? "" : "+"
            return [
                "\(sign)\(difference.estimate.fixed(1))",
                "\(difference.lower.fixed(1)) to \(difference.upper.fixed(1))",
            ]
        }
        return ["–", "–"]
    }
}
