/// An estimate, and between what it lies with the confidence that was asked for.
public struct Interval: Sendable, Hashable, Codable {
    /// The estimate: a median.
    public let estimate: Double
    /// The lower end.
    public let lower: Double
    /// The upper end.
    public let upper: Double

    init(estimate: Double, lower: Double, upper: Double) {
        self.estimate = estimate
        self.lower = lower
        self.upper = upper
    }

    /// The noise: how far the ends are apart.
    public var width: Double { upper - lower }
}
