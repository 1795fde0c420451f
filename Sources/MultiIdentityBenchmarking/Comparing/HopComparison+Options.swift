extension HopComparison {
    /// How much is run, and how sure a verdict has to be.
    public struct Options: Sendable, Hashable, Codable {
        /// How many hops a block has, from 1 to 100,000,000.
        ///
        /// A block should take a millisecond or so: long against the clock's grain, and short against what else the
        /// machine does.
        public var hopsPerBlock = 1_000
        /// How many rounds are measured, from 1 to 1,000,000.
        ///
        /// Time gets no verdict from fewer than 6.
        public var rounds = 60
        /// How many rounds are made before those that count, from 0 to 1,000,000.
        public var warmUps = 2
        /// Draws the order of each round and the intervals; the same seed draws the same.
        public var seed = UInt64.random(in: 0...0xFFFF_FFFF)
        /// How sure an interval is, from 0.5 to 0.9999.
        public var confidence = 0.95
        /// How often a series is drawn anew for its interval, from 100 to 1,000,000.
        public var resamples = 2_000

        /// Sixty rounds of a thousand hops, and intervals of 95 %.
        public init() {}

        func check() throws(BenchmarkingError) {
            try Self.check(Double(hopsPerBlock), in: 1...100_000_000, "hopsPerBlock")
            try Self.check(Double(rounds), in: 1...1_000_000, "rounds")
            try Self.check(Double(warmUps), in: 0...1_000_000, "warmUps")
            try Self.check(confidence, in: 0.5...0.9999, "confidence")
            try Self.check(Double(resamples), in: 100...1_000_000, "resamples")
        }

        static func check(
            _ value: Double,
            in range: ClosedRange<Double>,
            _ name: String
        ) throws(BenchmarkingError) {
            if range.contains(value) { return }
            throw BenchmarkingError(
                .numberOutOfRange,
                "\(name) is \(value.shortest); give a number from \(range.lowerBound.shortest) to \(range.upperBound.shortest)."
            )
        }
    }
}
