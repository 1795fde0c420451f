/// The verdict on a variant, compared with the baseline.
public enum Verdict: Sendable, Hashable {
    /// The variant costs less.
    case cheaper
    /// The variant costs more.
    case dearer
    /// The variant costs the same, within the gauge's margin: 0.02 for two percent.
    case same(within: Double)
    /// The noise is larger than the effect; more rounds or a quieter machine may give a verdict.
    case noVerdict

    /// Judges a ratio to the baseline.
    ///
    /// The verdict is the same if the whole interval is within the margin. Otherwise the effect must be at least as large as the
    /// noise, which also keeps it away from 1.
    init(ofRatio ratio: Interval, margin: Double) {
        if ratio.lower >= 1 - margin, ratio.upper <= 1 + margin {
            self = .same(within: margin)
        } else {
            self.init(ofEffect: Interval(estimate: ratio.estimate - 1, lower: ratio.lower - 1, upper: ratio.upper - 1))
        }
    }

    /// Judges a difference to a baseline of zero, which has no ratio.
    init(ofDifference difference: Interval) {
        if difference.lower == 0, difference.upper == 0 {
            self = .same(within: 0)
        } else {
            self.init(ofEffect: difference)
        }
    }

    private init(ofEffect effect: Interval) {
        if effect.width > abs(effect.estimate) || effect.lower <= 0 && effect.upper >= 0 {
            self = .noVerdict
        } else {
            self = effect.estimate < 0 ? .cheaper : .dearer
        }
    }
}

extension Verdict: CustomStringConvertible {
    /// The verdict in words: `dearer`, `same within 2 %`, `no verdict`.
    public var description: String {
        switch self {
        case .cheaper: "cheaper"
        case .dearer: "dearer"
        case .same(within: 0): "same"
        case .same(let margin): "same within \(margin.percent) %"
        case .noVerdict: "no verdict"
        }
    }
}
