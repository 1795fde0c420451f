import Dispatch
import MultiIdentity

extension HopCase {
    static let itemCases: [HopCase] = [
        HopCase("work-item/raw") { hops in
            let counter = Counter()
            onHeldQueue(hops) { queue in queue.async(execute: DispatchWorkItem { counter.value += 1 }) }
        },
        HopCase("work-item/handwritten") { hops in
            let counter = Counter()
            onHeldQueue(hops) { queue in
                let user = Handwritten.user
                let item = DispatchWorkItem { Handwritten.$user.withValue(user) { counter.value += 1 } }
                queue.async(execute: item)
            }
        },
        HopCase("work-item/carried", run: carriedItem),
        HopCase("work-item/carried-unbound", run: carriedItem),
        HopCase("group-notify/raw") { hops in
            let counter = Counter()
            let group = DispatchGroup()
            onHeldQueue(hops) { queue in group.notify(queue: queue) { counter.value += 1 } }
        },
        HopCase("group-notify/handwritten") { hops in
            let counter = Counter()
            let group = DispatchGroup()
            onHeldQueue(hops) { queue in
                let user = Handwritten.user
                group.notify(queue: queue) { Handwritten.$user.withValue(user) { counter.value += 1 } }
            }
        },
        HopCase("group-notify/carried", run: carriedNotify),
        HopCase("group-notify/carried-unbound", run: carriedNotify),
    ]

    private static let carriedItem: @Sendable (Int) -> Void = { hops in
        let counter = Counter()
        onHeldQueue(hops) { queue in
            let item = DispatchWorkItem.propagatingIdentity { counter.value += 1 }
            queue.propagatingIdentity.async(execute: item)
        }
    }

    private static let carriedNotify: @Sendable (Int) -> Void = { hops in
        let counter = Counter()
        let group = DispatchGroup()
        onHeldQueue(hops) { queue in group.propagatingIdentity.notify(queue: queue) { counter.value += 1 } }
    }
}

private func onHeldQueue(_ hops: Int, _ enqueue: (DispatchQueue) -> Void) {
    let queue = DispatchQueue(label: "held")
    queue.suspend()
    for _ in 0..<hops { enqueue(queue) }
    queue.resume()
    queue.sync {}
}
