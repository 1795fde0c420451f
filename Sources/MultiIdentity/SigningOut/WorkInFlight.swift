/// The amount of work of an identity at one moment.
public struct WorkInFlight: Sendable {
    /// The identity of the work.
    public let identity: Identity
    /// The number of captures of it that can be restored: work that waits, and handlers, timers and items that may run again.
    ///
    /// Work that runs once counts here too until it has run. After a revocation all of it runs under nobody.
    public let captured: Int
    /// The number of its open scopes, and of running pieces of work that were handed over, besides those that a caller waits
    /// for.
    public let running: Int
    /// The running work, the longest first, where it is recorded (``RunningWork/isRecorded``); else empty.
    public let work: [RunningWork]

    /// Indicates whether none runs.
    public var isDrained: Bool { running == 0 }
}

extension WorkInFlight: CustomStringConvertible {
    /// `ada@contoso.com: 2 running, 7 captured`, and a line for each piece of work that is recorded.
    public var description: String {
        (["\(identity): \(running) running, \(captured) captured"] + work.map(\.description)).joined(separator: "\n")
    }
}
