/// Several ways to make the same hop, measured side by side in one run.
///
/// The run is made of rounds. In each, every variant has one block of hops, in an order that is drawn anew; so what the
/// machine does meanwhile befalls all of them alike, and a variant is compared with the baseline of its own round. The
/// loop around nothing takes part as one more variant: its figure is the floor, the harness's own share of each other.
///
/// ```swift
/// let comparison = try HopComparison("async", of: [raw, carried], against: "raw")
/// print(try comparison.run().markdown)
/// ```
public struct HopComparison: Sendable {
    /// The name, as it stands in the report.
    public let name: String
    /// The variants, in the order of the report.
    public let variants: [HopVariant]
    /// The name of the variant that the others are compared with.
    public let baseline: String
    /// How much is run, and how sure a verdict has to be.
    public let options: Options

    /// Compares variants of a hop.
    ///
    /// - Parameters:
    ///   - name: The name, as it stands in the report.
    ///   - variants: The variants, each with a name of its own.
    ///   - baseline: The name of the variant that the others are compared with.
    ///   - options: How much is run, and how sure a verdict has to be.
    /// - Throws: ``BenchmarkingError`` where a name is empty or there twice, no variant has the name of the baseline, or a
    ///   number of `options` is outside its range.
    public init(
        _ name: String,
        of variants: [HopVariant],
        against baseline: String,
        options: Options = Options()
    ) throws(BenchmarkingError) {
        try Self.check([name], are: "comparison")
        try Self.check(variants.map(\.name), are: "variant")
        guard variants.contains(where: { $0.name == baseline }) else {
            let names = variants.map(\.name).joined(separator: ", ")
            throw BenchmarkingError(
                .noBaseline,
                "\(name) is compared with \"\(baseline)\", and its variants are: \(names). Name one of them."
            )
        }
        try options.check()
        self.name = name
        self.variants = variants
        self.baseline = baseline
        self.options = options
    }

    /// Runs all rounds, on the calling thread.
    ///
    /// Called from a plain thread, it measures hops that are made outside tasks.
    ///
    /// - Parameters:
    ///   - gauges: What is read before and after each block, all in the same run.
    ///   - progress: Called about once a second, between rounds, and after the last.
    /// - Returns: What was measured.
    /// - Throws: ``BenchmarkingError`` where there is no gauge or two have one name, where a gauge runs backwards, or where
    ///   a scope does not run its block.
    public func run(
        measuring gauges: [HopGauge] = [.time()],
        progress: (HopProgress) -> Void = { _ in }
    ) throws(BenchmarkingError) -> HopReport {
        if gauges.isEmpty {
            throw BenchmarkingError(.noGauge, "\(name) is measured with no gauge. Give one, as .time().")
        }
        try Self.check(gauges.map(\.name), are: "gauge")
        for gauge in gauges { try Options.check(gauge.margin, in: 0...1, "the margin of \(gauge.name)") }
        return report(of: try rounds(gauges, progress), gauges)
    }

    private static func check(_ names: [String], are kind: String) throws(BenchmarkingError) {
        var seen: Set<String> = []
        for name in names {
            if name.isEmpty { throw BenchmarkingError(.emptyName, "A \(kind) has an empty name. Give it one.") }
            if !seen.insert(name).inserted {
                throw BenchmarkingError(.nameTwice, "\"\(name)\" is the name of two \(kind)s. Give each its own.")
            }
        }
    }
}
