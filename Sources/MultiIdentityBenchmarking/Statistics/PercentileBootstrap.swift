/// The uncertainty of a median: the series is resampled from itself many times, and the medians are compared.
///
/// It assumes no distribution of the noise.
struct PercentileBootstrap {
    let resamples: Int
    /// The confidence of an interval.
    var confidence = 0.95
    let seed: UInt64

    /// - Parameter values: At least one.
    /// - Returns: The median of all, and where most of the medians lie.
    func interval(ofMedianOf values: [Double]) -> Interval {
        let estimate = percentile(0.5, of: values)
        // Equal readings need no resampling: each resampled series is the same.
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

/// Returns a percentile of values in any order, interpolated linearly (type 7 in R).
///
/// - Parameters:
///   - share: The share of the values that are below, from 0 to 1.
///   - values: At least one.
/// - Returns: The value at that share; NaN if there are no values.
func percentile(_ share: Double, of values: [Double]) -> Double {
    let sorted = values.sorted()
    guard let last = sorted.indices.last else { return .nan }
    let position = share * Double(last)
    let below = Int(position)
    let above = min(below + 1, last)
    return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
}

/// An estimate with its 95 % confidence interval.
public struct Interval: Sendable, Hashable {
    /// The estimate: a median.
    public let estimate: Double
    /// The lower end.
    public let lower: Double
    /// The upper end.
    public let upper: Double

    /// The noise: how far the ends are apart.
    var width: Double { upper - lower }
}
