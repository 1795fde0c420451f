import Dispatch
import MultiIdentity

extension HopCase {
    static let carriedSync: @Sendable () -> HopParts = {
        let (queue, counter) = (IdentityQueue(label: "carried"), Counter())
        return HopParts(enqueue: { hops in for _ in 0..<hops { queue.sync { counter.value += 1 } } })
    }

    static let syncCases = [
        HopCase("sync", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return HopParts(enqueue: { hops in for _ in 0..<hops { queue.sync { counter.value += 1 } } })
        },
        HopCase("sync", "handwritten", .user) {
            let (queue, counter) = (DispatchQueue(label: "handwritten"), Counter())
            return HopParts(enqueue: { hops in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    queue.sync { Handwritten.$user.withValue(user) { counter.value += 1 } }
                }
            })
        },
        HopCase("sync", "carried", .identity, parts: carriedSync),
        HopCase("sync", "carried-unbound", parts: carriedSync),
        HopCase("sync", "with-all-of-4", .allTaskLocals(4), parts: carriedSync),
    ]
}
