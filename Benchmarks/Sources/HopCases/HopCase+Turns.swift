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
        HopCase("async-fair", "carried", .identity, parts: fair(.cpuTime)),
        HopCase("async-fair", "carried-pieces", .identity, parts: fair(.pieces)),
    ]

    /// The end waits in the line of the same identity, behind all other work.
    private static func fair(_ measure: IdentityQueue.Draining.Measure) -> @Sendable () -> HopParts {
        {
            let (queue, counter) = (IdentityQueue(label: "fair", draining: .fairly(by: measure)), Counter())
            return HopParts(
                hold: { queue.suspend() },
                enqueue: { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } },
                drain: {
                    queue.resume()
                    queue.sync {}
                }
            )
        }
    }
}
