import MultiIdentity

/// What comes in: whose request it is, under which levels, and what its steps follow from.
struct Call: Sendable {
    /// The thread level: a named identity, nobody, or unset.
    let identity: Identity?
    /// The same identity made a second time, where there is one in another spelling.
    let twin: Identity?
    /// Which of ``LevelsChoice/all`` it runs under, or `nil` for the process's own levels.
    let levels: Int?
    /// What the steps follow from.
    let stepSeed: UInt64
}

/// Where requests come from.
protocol CallSource {
    /// The call with this number, from 0; asked in order, under a lock. `nil` when no more come.
    mutating func next(_ number: Int) throws -> Call?

    /// How many lines of the source were no call.
    var malformedCount: Int { get }
}
