import MultiIdentityBenchmarking

/// A report as `Benchmarks/benchmark` reads it.
struct TimedBoundary: Encodable {
    let name: String
    let seed: UInt64
    let lines: [Line]

    struct Line: Encodable {
        let variant: String
        let phase: String
        let median: Double
        let percentile90: Double
        let floor: Double
        let ratio: TimedRatio?
        let verdict: String?
    }

    init(_ name: String, _ seed: UInt64, _ report: HopReport) {
        self.name = name
        self.seed = seed
        lines = report.lines.map { line in
            Line(
                variant: line.variant,
                phase: "\(line.phase)",
                median: line.median,
                percentile90: line.percentile90,
                floor: line.floor,
                ratio: line.ratio.map(TimedRatio.init),
                verdict: line.verdict?.description
            )
        }
    }
}

/// A ratio to the baseline, and between what it lies.
struct TimedRatio: Encodable {
    let estimate: Double
    let lower: Double
    let upper: Double

    init(_ interval: Interval) {
        estimate = interval.estimate
        lower = interval.lower
        upper = interval.upper
    }
}
