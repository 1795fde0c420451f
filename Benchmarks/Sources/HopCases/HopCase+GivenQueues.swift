import CarriedCalls
import Dispatch
import Glibc
import MultiIdentity

/// Hops with nothing bound on queues that were made elsewhere, where a worker may have something bound.
extension HopCase {
    private static let carriedGiven: @Sendable () -> HopParts = {
        let (queue, counter) = (DispatchQueue(label: "given"), Counter())
        return .held(queue) { hops in for _ in 0..<hops { queue.propagatingIdentity.async { counter.value += 1 } } }
    }

    static let givenQueueCases = [
        HopCase("async-given", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return .held(queue) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        HopCase("async-given", "carried", .identity, parts: carriedGiven),
        HopCase("async-given", "carried-unbound", parts: carriedGiven),
        HopCase("async-given", "plugin", .identity) {
            let (queue, count) = (DispatchQueue(label: "plugin"), CarriedCalls.Count())
            return .held(queue) { hops in CarriedCalls.handOver(hops, on: queue, count) }
        },
        HopCase("async-main", "raw", isTimed: false) {
            let counter = Counter()
            return .main { hops in for _ in 0..<hops { DispatchQueue.main.async { counter.value += 1 } } }
        },
        HopCase("async-main", "carried", .identity, isTimed: false, parts: carriedMain),
        HopCase("async-main", "carried-unbound", isTimed: false, parts: carriedMain),
    ]

    private static let carriedMain: @Sendable () -> HopParts = {
        let counter = Counter()
        return .main { hops in for _ in 0..<hops { IdentityQueue.main.async { counter.value += 1 } } }
    }
}

extension HopParts {
    /// On the main queue, which is not drained until it has been filled; its last work ends the process.
    fileprivate static func main(enqueue: @escaping @Sendable (Int) -> Void) -> HopParts {
        HopParts(enqueue: enqueue) {
            DispatchQueue.main.async { exit(0) }
            dispatchMain()
        }
    }
}
