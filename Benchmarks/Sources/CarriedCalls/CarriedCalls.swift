public import Dispatch

/// Plain calls of a module with the plugin CarryIdentity.
public enum CarriedCalls {
    /// The one reference that every closure captures.
    ///
    /// `@unchecked Sendable`: used by one serial queue, which orders the accesses.
    public final class Count: @unchecked Sendable {
        var value = 0

        /// Creates a count of nothing.
        public init() {}
    }

    /// Hands work over as often.
    public static func handOver(_ hops: Int, on queue: DispatchQueue, _ count: Count) {
        for _ in 0..<hops { queue.async { count.value += 1 } }
    }
}
