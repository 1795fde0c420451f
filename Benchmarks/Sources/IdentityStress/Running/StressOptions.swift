/// What a run does.
struct StressOptions: Sendable {
    var seed: UInt64
    /// How many accounts the generated requests are of.
    var identities = 1_000
    /// How many carried boundaries each request crosses.
    var depth = 8
    var mix = BoundaryMix.everything
    /// How many requests are in flight at most.
    var concurrency = 64
    /// When to end; whichever comes first.
    var hops: Int?
    var requests: Int?
    var seconds: Double?
    /// Where requests come from, if they are not generated.
    var accessLog: String?
    var sabotage: Sabotage?
    /// Whether plain calls have to carry, wherever automatic mode reaches them.
    var isAutomatic = false
    /// Whether a hop is timed between stretches of the run.
    var isTimed = true
    /// How many seconds nothing may happen while work is under way; then work must be lost.
    var patience = 60
    /// How many hops one timed block has; as few for a short run as still say something.
    var hopsPerBlock: Int { (hops ?? .max) >= 1_000_000 ? 1_000 : 250 }
    /// A sabotaged run is not about time.
    var minimumRounds: Int { !isTimed ? 0 : sabotage == nil ? 5 : 1 }

    /// Threads on which requests begin.
    var driverCount: Int { min(concurrency, 4) }
}
