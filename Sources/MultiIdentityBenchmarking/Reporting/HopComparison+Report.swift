extension HopComparison {
    /// Works out what the samples say: those of the floor first, then those of each variant.
    func report(of samples: [HopSamples], _ gauges: [HopGauge]) -> HopReport {
        let floor = samples[0]
        let bare = zip(variants, samples.dropFirst()).first { $0.0.name == baseline }?.1
        var lines: [HopReport.Line] = []
        for (index, gauge) in gauges.enumerated() {
            for (variant, samples) in zip(variants, samples.dropFirst()) {
                for phase in samples.phases {
                    guard let blocks = samples.series(of: index, in: phase) else { continue }
                    let base = variant.name == baseline ? nil : bare?.series(of: index, in: phase)
                    let seed = options.seed &+ UInt64(lines.count)
                    let compared = base.map { Compared(blocks, $0, gauge, options, seed: seed) }
                    lines.append(
                        HopReport.Line(
                            variant: variant.name,
                            gauge: gauge.name,
                            unit: gauge.unit,
                            phase: phase,
                            blocks: blocks,
                            figure: Distribution(of: blocks),
                            floor: Distribution(of: floor.series(of: index, in: phase) ?? [0]).median,
                            ratio: compared?.ratio,
                            difference: compared?.difference,
                            verdict: compared?.verdict
                        )
                    )
                }
            }
        }
        return HopReport(name: name, baseline: baseline, options: options, lines: lines)
    }
}

/// A series against the baseline's, round by round.
private struct Compared {
    let ratio: Interval?
    let difference: Interval
    let verdict: Verdict

    init(_ blocks: [Double], _ base: [Double], _ gauge: HopGauge, _ options: HopComparison.Options, seed: UInt64) {
        let bootstrap = PercentileBootstrap(
            resamples: options.resamples,
            confidence: options.confidence,
            seed: seed
        )
        difference = bootstrap.interval(ofMedianOf: zip(blocks, base).map { $0 - $1 })
        ratio = base.contains(0) ? nil : bootstrap.interval(ofMedianOf: zip(blocks, base).map { $0 / $1 })
        if blocks.count < HopReport.fewestRounds, !gauge.isExact {
            verdict = .noVerdict
        } else if let ratio {
            verdict = Verdict(ofRatio: ratio, margin: gauge.margin)
        } else {
            verdict = Verdict(ofDifference: difference)
        }
    }
}
