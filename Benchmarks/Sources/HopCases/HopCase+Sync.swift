import Dispatch
import MultiIdentity
import ServiceContextModule

extension HopCase {
    static let carriedSync: @Sendable () -> HopParts = {
        let (queue, counter) = (IdentityQueue(label: "carried"), Counter())
        return HopParts(enqueue: { hops in for _ in 0..<hops { queue.sync { counter.value += 1 } } })
    }

    static let waysOfSync = [
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
    ]

    static let syncCases =
        waysOfSync + [
            HopCase("sync", "service-context", .context) {
                let (queue, counter) = (DispatchQueue(label: "context"), Counter())
                return HopParts(enqueue: { hops in
                    for _ in 0..<hops {
                        let context = ServiceContext.current
                        queue.sync { ServiceContext.$current.withValue(context) { counter.value += 1 } }
                    }
                })
            },
            HopCase("sync", "thread-local", .threadLocal) {
                let (queue, counter) = (DispatchQueue(label: "thread-local"), Counter())
                return HopParts(enqueue: { hops in
                    for _ in 0..<hops {
                        let user = ThreadLocalUser.current
                        queue.sync { ThreadLocalUser.with(user) { counter.value += 1 } }
                    }
                })
            },
        ]
}
