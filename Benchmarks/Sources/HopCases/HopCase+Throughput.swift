import Dispatch
import MultiIdentity

/// A queue that is not held: its worker runs what was handed over while more is handed over, as far as there are cores.
extension HopCase {
    static let throughputCases = [
        HopCase("throughput", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return .open(queue) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        HopCase("throughput", "handwritten", .user) {
            let (queue, counter) = (DispatchQueue(label: "handwritten"), Counter())
            return .open(queue) { hops in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    queue.async { Handwritten.$user.withValue(user) { counter.value += 1 } }
                }
            }
        },
        HopCase("throughput", "carried", .identity) {
            let (queue, counter) = (IdentityQueue(label: "carried"), Counter())
            return .open(queue.base) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        HopCase("throughput", "carried-in-batches", .identity) {
            let (queue, counter) = (IdentityQueue(label: "batched", draining: .inBatches), Counter())
            return .open(queue.base) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
    ]
}

extension HopParts {
    fileprivate static func open(_ queue: DispatchQueue, enqueue: @escaping @Sendable (Int) -> Void) -> HopParts {
        HopParts(enqueue: enqueue, drain: { queue.sync {} })
    }
}
