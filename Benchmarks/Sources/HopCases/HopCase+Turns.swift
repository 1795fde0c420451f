import Dispatch
import MultiIdentity

/// `async` on a fair queue, compared with plain queues, and with one of ours: suspended while its line fills.
extension HopCase {
    static let turnCases = [
        HopCase("async-fair", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return .held(queue) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        HopCase("async-fair", "plain", .identity) {
            let (queue, counter) = (IdentityQueue(label: "plain"), Counter())
            return .held(queue.base) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        // The end waits in the line of the same identity, behind all other work.
        HopCase("async-fair", "carried", .identity) {
            let (queue, counter) = (IdentityQueue(label: "fair", draining: .fairly()), Counter())
            return HopParts(
                hold: { queue.suspend() },
                enqueue: { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } },
                drain: {
                    queue.resume()
                    queue.sync {}
                }
            )
        },
    ]
}
