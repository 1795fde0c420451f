import MultiIdentity

/// An incoming request: its identity, its levels, and the seed of its steps.
struct Call: Sendable {
    /// The thread level: a named identity, nobody, or unset.
    let identity: Identity?
    /// The same identity created separately, in another spelling if it has one.
    let twin: Identity?
    /// The place of its levels in ``LevelsChoice/all``, or `nil` for the process's levels.
    let levels: Int?
    let stepSeed: UInt64
}
