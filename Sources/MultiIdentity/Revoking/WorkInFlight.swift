/// How much work of an identity there is at one moment.
public struct WorkInFlight: Sendable {
    /// Whose work it is.
    public let identity: Identity
    /// How many captures of it can still be restored: work that waits, and handlers, timers and items that may run again.
    ///
    /// Work that runs once counts here too until it has run. After a revocation all of it runs under nobody.
    public let captured: Int
    /// How many scopes of it are open, and pieces of work that were handed over run, besides those whose caller waits for
    /// them to end.
    public let running: Int
    /// What runs, the longest first, where running work is recorded (``RunningWork/isRecorded``); else empty.
    public let work: [RunningWork]

    /// Whether none runs.
    public var isDrained: Bool { running == 0 }
}

extension WorkInFlight: CustomStringConvertible {
    /// `ada@contoso.com: 2 running, 7 captured`, and a line for each piece of work that is recorded.
    public var description: String {
        (["\(identity): \(running) running, \(captured) captured"] + work.map(\.description)).joined(separator: "\n")
    }
}
