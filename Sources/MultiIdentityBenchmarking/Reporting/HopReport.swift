/// The results of a comparison; the description is a table in Markdown.
public struct HopReport: Sendable, Hashable {
    let name: String
    let baseline: String
    /// The numbers of rounds and hops that were run, and the seed.
    let setting: String
    /// A line for each variant, gauge and phase.
    public let lines: [Line]

    /// One figure of one variant.
    public struct Line: Sendable, Hashable {
        /// The name of the variant.
        public let variant: String
        /// The name of the gauge.
        public let gauge: String
        let unit: String
        /// The phase of the hop.
        public let phase: HopPhase
        /// The cost of one hop in each block: the mean of its hops.
        public let blocks: [Double]
        /// The harness's own share of the cost: the median of the same loop with an empty body.
        public let floor: Double
        /// The median of the ratios to the baseline, round by round; `nil` for the baseline, and if the baseline is
        /// zero or lacks the phase.
        public let ratio: Interval?
        /// The median of the differences from the baseline, round by round; `nil` for the baseline, and if the baseline
        /// lacks the phase.
        public let difference: Interval?
        /// The verdict; `nil` if there is nothing to compare with.
        public let verdict: Verdict?

        /// The median of ``blocks``.
        public var median: Double { percentile(0.5, of: blocks) }
        /// The 90th percentile of ``blocks``, not of single hops.
        public var percentile90: Double { percentile(0.9, of: blocks) }
    }

    /// Returns the line of a variant.
    ///
    /// - Parameters:
    ///   - variant: The name of the variant.
    ///   - gauge: The name of the gauge.
    ///   - phase: The phase of the hop.
    /// - Returns: The line; `nil` if there is none.
    public func line(of variant: String, gauge: String = "time", phase: HopPhase = .whole) -> Line? {
        lines.first { $0.variant == variant && $0.gauge == gauge && $0.phase == phase }
    }
}
