/// How long to wait from one look at waiting operations to the next.
///
/// A few milliseconds after one was added or has changed, then twice as long each time, so that a process with an
/// operation that waits can sleep. What changes is seen within as long again as nothing had changed before, and within
/// ``longest`` in any case.
struct OperationLookPace {
    static let shortest = Duration.milliseconds(5)
    static let longest = Duration.milliseconds(250)

    private var last = Self.shortest

    /// The time to the next look, after one that did or did not find something changed.
    mutating func next(hasChanged: Bool) -> Duration {
        last = hasChanged ? Self.shortest : min(last * 2, Self.longest)
        return last
    }
}
