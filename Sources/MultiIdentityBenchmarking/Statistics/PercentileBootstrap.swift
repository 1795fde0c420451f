/// The uncertainty of a median: the series is drawn anew from itself many times, and their medians are looked at.
///
/// It supposes no shape of the noise, of which machines have many.
struct PercentileBootstrap {
    let resamples: Int
    /// The confidence of an interval.
    var confidence = 0.95
    let seed: UInt64

    /// - Parameter values: At least one.
    /// - Returns: The median of all, and where most of the medians lie.
    func interval(ofMedianOf values: [Double]) -> Interval {
        let estimate = percentile(0.5, of: values)
        // Readings that repeat need no drawing: each series drawn from them is the same.
        if values.allSatisfy({ $0 == estimate }) {
            return Interval(estimate: estimate, lower: estimate, upper: estimate)
        }
        var generator = SeededGenerator(seed: seed)
        var drawn = values
        var medians: [Double] = []
        medians.reserveCapacity(resamples)
        for _ in 0..<resamples {
            for index in drawn.indices { drawn[index] = values[generator.below(values.count)] }
            medians.append(percentile(0.5, of: drawn))
        }
        let outside = (1 - confidence) / 2
        return Interval(
            estimate: estimate,
            lower: percentile(outside, of: medians),
            upper: percentile(1 - outside, of: medians)
        )
    }
}
