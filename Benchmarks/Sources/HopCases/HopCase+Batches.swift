import Dispatch
import MultiIdentity

/// `async` on a queue that drains in batches, compared with plain queues: suspended while they fill, so that batches are full.
extension HopCase {
    static let batchCases = [
        HopCase("async-batched", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return .held(queue) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        HopCase("async-batched", "handwritten", .user, parts: handwrittenAsync),
        HopCase("async-batched", "carried", .identity, parts: batched),
        HopCase("async-batched", "carried-unbound", parts: batched),
    ]

    private static let batched: @Sendable () -> HopParts = {
        let (queue, counter) = (IdentityQueue(label: "batched", draining: .inBatches), Counter())
        return .held(queue.base) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
    }
}
