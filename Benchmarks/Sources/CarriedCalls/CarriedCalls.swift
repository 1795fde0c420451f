public import Dispatch

/// Plain calls of a module with the plugin CarryIdentity.
public enum CarriedCalls {
    /// Hands work over as often, each time in a closure of its own.
    public static func async(_ hops: Int, on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        for _ in 0..<hops { queue.async { work() } }
    }
}
