/// The figures of a comparison; printed, they are a table in Markdown.
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
        /// The name of the gauge that was read.
        public let gauge: String
        let unit: String
        /// The part of the hop.
        public let phase: HopPhase
        /// The cost of one hop, in each block in turn: the mean of its hops.
        public let blocks: [Double]
        /// The harness's own share of that: the median of the same loop around nothing.
        public let floor: Double
        /// The median of the ratios to the baseline, round by round; `nil` for the baseline, and where that is zero or lacks
        /// the phase.
        public let ratio: Interval?
        /// The median of the differences from the baseline, round by round; `nil` for the baseline, and where that lacks the
        /// phase.
        public let difference: Interval?
        /// The verdict; `nil` where there is nothing to compare with.
        public let verdict: Verdict?

        /// The median of ``blocks``.
        public var median: Double { percentile(0.5, of: blocks) }
        /// Nine tenths of ``blocks`` are below: of blocks, and not of single hops.
        public var percentile90: Double { percentile(0.9, of: blocks) }
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
