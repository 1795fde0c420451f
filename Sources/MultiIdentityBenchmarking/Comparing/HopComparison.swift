/// Compares several implementations of the same hop, side by side in one run.
///
/// In each round, every variant runs one block of hops, in a new random order. Other load on the machine affects all
/// variants alike, and each is compared with the baseline of its own round. An empty loop runs as one more
/// variant: it measures the harness's share of the others.
///
/// ```swift
/// let comparison = try HopComparison("async", of: [raw, carried], against: "raw")
/// print(try comparison.run())
/// ```
public struct HopComparison: Sendable {
    let name: String
    let variants: [HopVariant]
    let baseline: String
    let rounds: Int
    let hopsPerBlock: Int
    let seed: UInt64
    /// The number of rounds before those that count.
    var warmUps = 2
    /// The number of times that a series is resampled for its interval.
    var resamples = 2_000

    /// Creates a comparison of hop variants.
    ///
    /// - Parameters:
    ///   - name: The name in the report.
    ///   - variants: The variants with unique names, in the order of the report.
    ///   - baseline: The name of the variant that the others are compared with.
    ///   - rounds: The number of rounds, from 1 to 1,000,000; with fewer than 6, time gets no verdict.
    ///   - hopsPerBlock: The number of hops in a block, from 1 to 100,000,000. A block should take about a millisecond:
    ///     long compared with the clock's resolution, and short compared with other load.
    ///   - seed: The seed for the order of each round and the intervals; the report names it.
    /// - Throws: ``BenchmarkingError`` if a name is empty or not unique, if no variant has the name of the baseline, or
    ///   if a number is out of range.
    public init(
        _ name: String,
        of variants: [HopVariant],
        against baseline: String,
        rounds: Int = 60,
        hopsPerBlock: Int = 1_000,
        seed: UInt64 = .random(in: 0...0xFFFF_FFFF)
    ) throws(BenchmarkingError) {
        try Self.check([name], are: "comparison")
        try Self.check(variants.map(\.name), are: "variant")
        guard variants.contains(where: { $0.name == baseline }) else {
            let names = variants.map(\.name).joined(separator: ", ")
            throw BenchmarkingError(
                "\(name) has no variant \"\(baseline)\" to compare with; its variants are: \(names). Name one of them."
            )
        }
        try Self.check(Double(rounds), in: 1...1_000_000, "rounds")
        try Self.check(Double(hopsPerBlock), in: 1...100_000_000, "hopsPerBlock")
        self.name = name
        self.variants = variants
        self.baseline = baseline
        self.rounds = rounds
        self.hopsPerBlock = hopsPerBlock
        self.seed = seed
    }

    /// Runs all rounds on the calling thread.
    ///
    /// Call it from a plain thread to measure hops outside tasks.
    ///
    /// - Parameters:
    ///   - gauges: The gauges to read before and after each block, all in the same run.
    ///   - progress: Called with a line of text about once a second, between rounds, and after the last.
    /// - Returns: The measurements.
    /// - Throws: ``BenchmarkingError`` if there is no gauge or two have the same name, if a gauge decreases, or if a
    ///   scope does not run its block.
    public func run(
        measuring gauges: [HopGauge] = [.time()],
        progress: (String) -> Void = { _ in }
    ) throws(BenchmarkingError) -> HopReport {
        if gauges.isEmpty {
            throw BenchmarkingError("\(name) has no gauge. Pass one, such as .time().")
        }
        try Self.check(gauges.map(\.name), are: "gauge")
        for gauge in gauges { try Self.check(gauge.margin, in: 0...1, "the margin of \(gauge.name)") }
        return report(of: try samples(gauges, progress), gauges)
    }

    private static func check(_ names: [String], are kind: String) throws(BenchmarkingError) {
        var seen: Set<String> = []
        for name in names {
            if name.isEmpty { throw BenchmarkingError("A \(kind) has an empty name. Name it.") }
            if !seen.insert(name).inserted {
                throw BenchmarkingError("\"\(name)\" is the name of two \(kind)s. Give each a unique name.")
            }
        }
    }

    private static func check(
        _ value: Double,
        in range: ClosedRange<Double>,
        _ name: String
    ) throws(BenchmarkingError) {
        if range.contains(value) { return }
        let (lowest, highest) = (range.lowerBound.shortest, range.upperBound.shortest)
        throw BenchmarkingError("\(name) is \(value.shortest); pass a number from \(lowest) to \(highest).")
    }
}

/// The reason why a comparison is invalid.
public struct BenchmarkingError: Error, Hashable, Sendable {
    /// What is wrong, and what to do.
    public let message: String

    init(_ message: String) { self.message = message }
}

extension BenchmarkingError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
