/// What cannot be measured: what was wrong, with which value, and what to do.
public struct BenchmarkingError: Error, Hashable, Sendable {
    /// What went wrong, for code to match on.
    public let code: Code

    /// What went wrong, for people: what was tried, with which value, and what to do.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension BenchmarkingError {
    /// What went wrong, for code to match on; a minor release can add codes.
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case emptyName, nameTwice, noBaseline, noGauge, numberOutOfRange, blockDidNotRun, gaugeRanBackwards,
                noSuchLine
        }

        private let kind: Kind

        /// A comparison, a variant or a gauge has no name.
        public static let emptyName = Code(kind: .emptyName)
        /// Two variants, or two gauges, have the same name.
        public static let nameTwice = Code(kind: .nameTwice)
        /// No variant has the name of the baseline.
        public static let noBaseline = Code(kind: .noBaseline)
        /// There is nothing to measure with.
        public static let noGauge = Code(kind: .noGauge)
        /// A number of hops, rounds or resamples, a confidence or a margin is outside its range.
        public static let numberOutOfRange = Code(kind: .numberOutOfRange)
        /// A scope did not run the block that it was given.
        public static let blockDidNotRun = Code(kind: .blockDidNotRun)
        /// A gauge showed less after a block than before.
        public static let gaugeRanBackwards = Code(kind: .gaugeRanBackwards)
        /// A report has no line for what a limit names.
        public static let noSuchLine = Code(kind: .noSuchLine)
    }
}

extension BenchmarkingError.Code: CustomStringConvertible {
    /// The code's name.
    public var description: String { "\(kind)" }
}

extension BenchmarkingError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
