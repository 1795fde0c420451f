/// A phase of a hop that is measured separately.
public enum HopPhase: Sendable, Hashable {
    /// Handing over, to a suspended queue.
    case enqueue
    /// Running what was handed over, to the end of the last item.
    case drain
    /// The whole hop.
    case whole
}
