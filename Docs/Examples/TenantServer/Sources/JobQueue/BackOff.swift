/// The wait before a failed job is begun again: twice as long each time, up to a limit, with a random share.
public struct BackOff: Hashable, Sendable {
    /// The wait after the first failure.
    public var first: Duration
    /// The longest wait.
    public var limit: Duration

    /// Waits that double from `first` up to `limit`.
    public init(first: Duration = .seconds(1), limit: Duration = .seconds(3_600)) {
        self.first = first
        self.limit = limit
    }

    /// The wait after a failure: between half of the doubled wait and all of it, so that what failed together does not
    /// come back together.
    ///
    /// - Parameters:
    ///   - attempt: Which attempt failed, from 1.
    ///   - generator: Where the random share comes from.
    /// - Returns: How long to wait.
    public func delay(after attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        let whole = min(limit, first * (1 << min(max(attempt, 1) - 1, 30)))
        return whole * Double.random(in: 0.5...1, using: &generator)
    }
}
