/// The options of a run.
struct StressOptions: Sendable {
    var seed: UInt64
    /// The number of accounts that requests belong to.
    var identities = 1_000
    /// The number of package boundaries that each request crosses.
    var depth = 8
    var mix = BoundaryMix.everything
    /// The maximum number of requests in flight.
    var concurrency = 64
    /// The limits of the run; whichever is reached first ends it.
    var hops: Int?
    var requests: Int?
    var seconds: Double?
    var sabotage: Sabotage?
    /// True if plain calls must propagate the identity wherever automatic mode reaches them.
    var isAutomatic = false
    /// The seconds without progress after which pending work counts as lost.
    var patience = 60

    /// The number of threads on which requests begin.
    var driverCount: Int { min(concurrency, 4) }
}
