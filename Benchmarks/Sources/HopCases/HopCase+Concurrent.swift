import Dispatch
import MultiIdentity

extension HopParts {
    /// On a concurrent queue that is suspended until all work has been handed over.
    fileprivate static func heldConcurrent(
        _ queue: DispatchQueue,
        enqueue: @escaping @Sendable (Int) -> Void
    ) -> HopParts {
        HopParts(hold: { queue.suspend() }, enqueue: enqueue) {
            queue.resume()
            queue.sync(flags: .barrier) {}
        }
    }
}

extension HopCase {
    private static let carriedConcurrent: @Sendable () -> HopParts = {
        let (queue, counter) = (IdentityQueue(label: "carried", attributes: .concurrent), SharedCounter())
        return .heldConcurrent(queue.base) { hops in for _ in 0..<hops { queue.async { counter.step() } } }
    }

    static let concurrentCases = [
        HopCase("async-concurrent", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw", attributes: .concurrent), SharedCounter())
            return .heldConcurrent(queue) { hops in for _ in 0..<hops { queue.async { counter.step() } } }
        },
        HopCase("async-concurrent", "handwritten", .user) {
            let (queue, counter) = (DispatchQueue(label: "handwritten", attributes: .concurrent), SharedCounter())
            return .heldConcurrent(queue) { hops in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    queue.async { Handwritten.$user.withValue(user) { counter.step() } }
                }
            }
        },
        HopCase("async-concurrent", "carried", .identity, parts: carriedConcurrent),
        HopCase("async-concurrent", "carried-unbound", parts: carriedConcurrent),
    ]
}
