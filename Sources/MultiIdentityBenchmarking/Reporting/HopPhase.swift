/// A part of a hop that is measured by itself.
public enum HopPhase: Sendable, Hashable {
    /// Handing over, to a queue that is suspended.
    case enqueue
    /// Running what was handed over, until the last of it has run.
    case drain
    /// All of it.
    case whole
}
