import HopCases
import MultiIdentityBenchmarking

/// The duration of a hop as a ratio to the same hop in plain Dispatch, on this machine: points with intervals, in SVG.
struct RatioPicture {
    private var rows: [(boundary: String, isByHand: Bool, ratio: Interval, verdict: Verdict?)] = []
    /// The end of the axis; larger values are drawn there.
    private static let most = 2.5

    /// Measures a few boundaries, in a few seconds.
    init() throws {
        for boundary in ["async", "sync", "group-notify", "work-item", "source-event", "operation-closure"] {
            let cases = HopCase.all.filter {
                $0.boundary == boundary && ["raw", "handwritten", "carried"].contains($0.way)
            }
            let ways = cases.map(\.variant)
            let report = try HopComparison(boundary, of: ways, against: "raw", rounds: 40, hopsPerBlock: 500).run()
            for line in report.lines where line.phase == .whole {
                guard let ratio = line.ratio else { continue }
                rows.append((boundary, line.variant == "handwritten", ratio, line.verdict))
            }
        }
    }

    var html: String {
        let (bottom, open) = (32 + 24 * rows.count, rows.count { $0.verdict == .noVerdict })
        let ticks = stride(from: 0, through: Self.most, by: 0.5).map { ratio in
            """
            <line x1="\(x(ratio))" x2="\(x(ratio))" y1="32" y2="\(bottom)" stroke="\(ratio == 1 ? "#222" : "#ddd")"/>\
            <text x="\(x(ratio))" y="\(bottom + 18)" text-anchor="middle">\(ratio)</text>
            """
        }
        return """
            <h2>Time of a hop, compared with plain Dispatch</h2>
            <svg viewBox="0 0 800 \(bottom + 50)" font-size="13" fill="#222">
            <circle cx="170" cy="14" r="5" fill="\(color(true))"/><text x="180" y="18">by hand</text>
            <circle cx="260" cy="14" r="5" fill="\(color(false))"/><text x="270" y="18">with this package</text>
            <line x1="410" x2="450" y1="14" y2="14" stroke="#222" stroke-width="3"/><text x="458" y="18">95 % confidence</text>
            \((ticks + rows.indices.map(row)).joined(separator: "\n"))
            <text x="410" y="\(bottom + 42)" text-anchor="middle">1 is the same hop in plain Dispatch; lower is better</text>
            </svg>
            <p>“no verdict” (\(open) of \(rows.count)) means that the noise of this machine is larger than the effect. Only a \
            release build tells. The counts of Benchmarks/measure-hops repeat on a busy machine too.</p>
            """
    }

    private func x(_ ratio: Double) -> Double { 160 + min(ratio, Self.most) * 200 }
    private func color(_ isByHand: Bool) -> String { isByHand ? "#d9822b" : "#1f6fb4" }

    private func row(_ index: Int) -> String {
        let (row, y) = (rows[index], 44 + 24 * index)
        return """
            <text x="150" y="\(y + 4)" text-anchor="end">\(row.isByHand ? row.boundary : "")</text>\
            <line class="interval" x1="\(x(row.ratio.lower))" x2="\(x(row.ratio.upper))" y1="\(y)" y2="\(y)" \
            stroke="\(color(row.isByHand))" stroke-width="3"/>\
            <circle cx="\(x(row.ratio.estimate))" cy="\(y)" r="5" fill="\(color(row.isByHand))"/>\
            <text x="672" y="\(y + 4)">\(Report.hundredths(row.ratio.estimate)), \(row.verdict ?? .noVerdict)</text>
            """
    }
}
