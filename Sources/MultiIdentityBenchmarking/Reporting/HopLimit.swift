/// What a variant may cost at most, for a check in continuous integration.
///
/// ```swift
/// let limit = HopLimit("carried", .ratio(atMost: 1.5))
/// if try report.outcome(of: limit) == .broken { exit(1) }
/// ```
public struct HopLimit: Sendable, Hashable, Codable {
    /// The name of the variant.
    public let variant: String
    /// The name of the gauge.
    public let gauge: String
    /// The part of the hop.
    public let phase: HopPhase
    /// What is allowed.
    public let bound: Bound

    /// What is allowed against the baseline.
    public enum Bound: Sendable, Hashable, Codable {
        /// So many times the baseline.
        case ratio(atMost: Double)
        /// So much more than the baseline, a hop, in the gauge's unit.
        case extra(atMost: Double)
    }

    /// Whether a limit is kept.
    public enum Outcome: String, Sendable, Hashable, Codable {
        /// The whole interval is within the limit.
        case held
        /// The whole interval is beyond the limit.
        case broken
        /// The limit lies within the interval: the noise is too large to tell.
        case noVerdict
    }

    /// A limit.
    ///
    /// - Parameters:
    ///   - variant: The name of the variant.
    ///   - bound: What is allowed against the baseline.
    ///   - gauge: The name of the gauge.
    ///   - phase: The part of the hop.
    public init(_ variant: String, _ bound: Bound, gauge: String = "time", phase: HopPhase = .whole) {
        self.variant = variant
        self.bound = bound
        self.gauge = gauge
        self.phase = phase
    }
}

extension HopReport {
    /// Whether a limit is kept.
    ///
    /// - Parameter limit: The limit.
    /// - Returns: The outcome; time from fewer than 6 rounds is never more than ``HopLimit/Outcome/noVerdict``.
    /// - Throws: ``BenchmarkingError`` with the code ``BenchmarkingError/Code/noSuchLine`` where the report has no such figure,
    ///   or nothing to compare it with.
    public func outcome(of limit: HopLimit) throws(BenchmarkingError) -> HopLimit.Outcome {
        let line = line(of: limit.variant, gauge: limit.gauge, phase: limit.phase)
        let (interval, bound) =
            switch limit.bound {
            case .ratio(let most): (line?.ratio, most)
            case .extra(let most): (line?.difference, most)
            }
        guard let line, let interval else {
            let names = lines.filter { $0.difference != nil }.map { "\($0.variant) (\($0.gauge), \($0.phase))" }
            throw BenchmarkingError(
                .noSuchLine,
                """
                \(name) has no \(limit.bound) for \(limit.variant) (\(limit.gauge), \(limit.phase)). What is compared with \
                \(baseline): \(names.joined(separator: ", ")).
                """
            )
        }
        if line.verdict == .noVerdict, line.blocks.count < Self.fewestRounds { return .noVerdict }
        if interval.upper <= bound { return .held }
        return interval.lower > bound ? .broken : .noVerdict
    }
}
