/// How a series of figures is spread, a figure for each block.
///
/// Each figure is the mean of one block's hops: the 99th percentile is that of blocks and not of single hops.
public struct Distribution: Sendable, Hashable, Codable {
    /// How many figures there are.
    public let count: Int
    /// The least.
    public let minimum: Double
    /// A quarter of all is below.
    public let lowerQuartile: Double
    /// Half of all is below.
    public let median: Double
    /// Three quarters of all are below.
    public let upperQuartile: Double
    /// Nine tenths of all are below.
    public let percentile90: Double
    /// All but one in a hundred are below.
    public let percentile99: Double
    /// The greatest.
    public let maximum: Double

    /// - Parameter values: At least one, in any order.
    init(of values: [Double]) {
        let sorted = values.sorted()
        count = sorted.count
        minimum = Self.percentile(0, of: sorted)
        lowerQuartile = Self.percentile(0.25, of: sorted)
        median = Self.percentile(0.5, of: sorted)
        upperQuartile = Self.percentile(0.75, of: sorted)
        percentile90 = Self.percentile(0.9, of: sorted)
        percentile99 = Self.percentile(0.99, of: sorted)
        maximum = Self.percentile(1, of: sorted)
    }

    /// Between two neighbours, in proportion (the definition that R calls type 7).
    static func percentile(_ share: Double, of sorted: [Double]) -> Double {
        guard let last = sorted.indices.last else { return .nan }
        let position = share * Double(last)
        let below = Int(position)
        let above = min(below + 1, last)
        return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
}
