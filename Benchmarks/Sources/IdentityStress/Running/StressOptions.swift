/// The options of a run.
struct StressOptions: Sendable {
    var seed: UInt64
    /// The number of accounts that the requests are of.
    var identities = 1_000
    /// The number of carried boundaries that each request crosses.
    var depth = 8
    var mix = BoundaryMix.everything
    /// The most requests in flight.
    var concurrency = 64
    /// The limits of the run; whichever is reached first ends it.
    var hops: Int?
    var requests: Int?
    var seconds: Double?
    var sabotage: Sabotage?
    /// True if plain calls have to carry, wherever automatic mode reaches them.
    var isAutomatic = false
    /// The seconds for which nothing may happen while work is under way; then work must be lost.
    var patience = 60

    /// Threads on which requests begin.
    var driverCount: Int { min(concurrency, 4) }
}
