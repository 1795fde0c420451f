/// What a comparison measured.
public struct HopReport: Sendable, Hashable, Codable {
    /// The name of the comparison.
    public let name: String
    /// The variant that the others were compared with.
    public let baseline: String
    /// How much was run, and with which seed.
    public let options: HopComparison.Options
    /// A line for each variant, gauge and phase.
    public let lines: [Line]

    /// With fewer, chance alone puts all on one side more often than once in twenty runs.
    static let fewestRounds = 6

    /// One figure of one variant.
    public struct Line: Sendable, Hashable, Codable {
        /// The variant.
        public let variant: String
        /// The gauge that was read.
        public let gauge: String
        /// The gauge's unit; empty for a count.
        public let unit: String
        /// The part of the hop.
        public let phase: HopPhase
        /// What one hop took, in each block in turn.
        public let blocks: [Double]
        /// How ``blocks`` are spread.
        public let figure: Distribution
        /// What the harness itself took of that: the median of the same loop around nothing.
        public let floor: Double
        /// The median of the ratios to the baseline, round by round; `nil` for the baseline, and where that is zero or lacks
        /// the phase.
        public let ratio: Interval?
        /// The median of the differences from the baseline, round by round; `nil` for the baseline, and where that lacks the
        /// phase.
        public let difference: Interval?
        /// What can be said of it; `nil` where there is nothing to compare with.
        public let verdict: Verdict?
    }

    /// The line of a variant.
    ///
    /// - Parameters:
    ///   - variant: The name of the variant.
    ///   - gauge: The name of the gauge.
    ///   - phase: The part of the hop.
    /// - Returns: The line, or `nil` if there is none.
    public func line(of variant: String, gauge: String = "time", phase: HopPhase = .whole) -> Line? {
        lines.first { $0.variant == variant && $0.gauge == gauge && $0.phase == phase }
    }
}
