/// A judgement of a variant against the baseline.
public enum Verdict: Sendable, Hashable {
    /// It costs less.
    case cheaper
    /// It costs more.
    case dearer
    /// It costs the same, to within the gauge's margin: 0.02 for two in a hundred.
    case same(within: Double)
    /// The noise is larger than the effect. More rounds, or a quieter machine, may tell.
    case noVerdict

    /// Judges a ratio to the baseline.
    ///
    /// The same, where the whole interval is within the margin; else an effect has to be at least as large as the noise,
    /// which also keeps it clear of 1.
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
    /// As `dearer`, `same within 2 %`, `no verdict`.
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
