/// A stretch of the run, between two rounds of timing.
struct Segment {
    private let hopLimit: Int?
    private let deadline: ContinuousClock.Instant?
    private let hopStride: Int
    private let timeStride: Duration?
    private var hopsAtEnd: Int
    private var timeAtEnd: ContinuousClock.Instant?

    private static let count = 10

    init(_ options: StressOptions, start: ContinuousClock.Instant = .now) {
        hopLimit = options.hops
        deadline = options.seconds.map { start + .seconds($0) }
        timeStride = options.seconds.map { .seconds($0 / Double(Self.count)) }
        let stride = options.hops.map { max(1, ($0 + Self.count - 1) / Self.count) }
        hopStride = stride ?? (options.seconds == nil ? 500_000 : .max)
        hopsAtEnd = hopStride
        timeAtEnd = timeStride.map { start + $0 }
    }

    /// Begins one, after the timing before it: that can take longer than a stretch is to take.
    mutating func begin(from hops: Int, at now: ContinuousClock.Instant = .now) {
        let (end, overflows) = hops.addingReportingOverflow(hopStride)
        hopsAtEnd = overflows ? .max : end
        timeAtEnd = timeStride.map { now + $0 }
    }

    func isOver(_ hops: Int, at now: ContinuousClock.Instant = .now) -> Bool {
        if hops >= hopsAtEnd { return true }
        if let timeAtEnd, now >= timeAtEnd { return true }
        return false
    }

    func endOfRun(_ hops: Int) -> RunEnd? {
        if let hopLimit, hops >= hopLimit { return .hops }
        if let deadline, .now >= deadline { return .seconds }
        return nil
    }

    func hopsLeft(_ hops: Int) -> Int { hopLimit.map { $0 - hops } ?? .max }
}
