/// An estimate, and between what it lies with 95 % confidence.
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
