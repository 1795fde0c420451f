extension HopComparison {
    /// Makes the report of the samples: those of the empty loop first, then those of each variant.
    func report(of samples: [HopSamples], _ gauges: [HopGauge]) -> HopReport {
        let floor = samples[0]
        let bare = zip(variants, samples.dropFirst()).first { $0.0.name == baseline }?.1
        var lines: [HopReport.Line] = []
        for (index, gauge) in gauges.enumerated() {
            for (variant, samples) in zip(variants, samples.dropFirst()) {
                for phase in samples.phases {
                    guard let blocks = samples.series(of: index, in: phase) else { continue }
                    let base = variant.name == baseline ? nil : bare?.series(of: index, in: phase)
                    let bootstrap = PercentileBootstrap(resamples: resamples, seed: seed &+ UInt64(lines.count))
                    let compared = base.map { Compared(blocks, $0, gauge, bootstrap) }
                    lines.append(
                        HopReport.Line(
                            variant: variant.name,
                            gauge: gauge.name,
                            unit: gauge.unit,
                            phase: phase,
                            blocks: blocks,
                            floor: percentile(0.5, of: floor.series(of: index, in: phase) ?? [0]),
                            ratio: compared?.ratio,
                            difference: compared?.difference,
                            verdict: compared?.verdict
                        )
                    )
                }
            }
        }
        return HopReport(
            name: name,
            baseline: baseline,
            setting: "\(rounds) rounds of \(hopsPerBlock) hops, seed \(seed)",
            lines: lines
        )
    }
}

/// A series against the baseline's, round by round.
private struct Compared {
    /// With fewer, chance alone puts all on one side more often than once in twenty runs.
    private static let fewestRounds = 6

    let ratio: Interval?
    let difference: Interval
    let verdict: Verdict

    init(_ blocks: [Double], _ base: [Double], _ gauge: HopGauge, _ bootstrap: PercentileBootstrap) {
        difference = bootstrap.interval(ofMedianOf: zip(blocks, base).map { $0 - $1 })
        ratio = base.contains(0) ? nil : bootstrap.interval(ofMedianOf: zip(blocks, base).map { $0 / $1 })
        if blocks.count < Self.fewestRounds, !gauge.isExact {
            verdict = .noVerdict
        } else if let ratio {
            verdict = Verdict(ofRatio: ratio, margin: gauge.margin)
        } else {
            verdict = Verdict(ofDifference: difference)
        }
    }
}
