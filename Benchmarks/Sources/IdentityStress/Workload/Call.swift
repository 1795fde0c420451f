import MultiIdentity

/// A request as it comes in: its identity, its levels, and the seed of its steps.
struct Call: Sendable {
    /// The thread level: a named identity, nobody, or unset.
    let identity: Identity?
    /// The same identity made a second time, where there is one in another spelling.
    let twin: Identity?
    /// The place in ``LevelsChoice/all`` of the levels it runs under, or `nil` for the process's own.
    let levels: Int?
    /// The seed of the steps.
    let stepSeed: UInt64
}
