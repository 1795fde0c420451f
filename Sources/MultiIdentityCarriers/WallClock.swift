import CMultiIdentity

/// The time of day, which the standard library has no clock for.
enum WallClock {
    /// The time since 1970-01-01T00:00:00Z, in whole seconds.
    static let now: @Sendable () -> Duration = { .seconds(mi_seconds_since_1970()) }
}
