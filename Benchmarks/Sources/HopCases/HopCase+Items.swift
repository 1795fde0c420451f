import Dispatch
import MultiIdentity

extension HopCase {
    static let itemCases = workItemCases + notifyCases

    private static let workItemCases = [
        HopCase("work-item", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return .held(queue) { hops in
                for _ in 0..<hops { queue.async(execute: DispatchWorkItem { counter.value += 1 }) }
            }
        },
        HopCase("work-item", "handwritten", .user) {
            let (queue, counter) = (DispatchQueue(label: "handwritten"), Counter())
            return .held(queue) { hops in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    let item = DispatchWorkItem { Handwritten.$user.withValue(user) { counter.value += 1 } }
                    queue.async(execute: item)
                }
            }
        },
        threadLocalItem,
        HopCase("work-item", "carried", .identity, parts: carriedItem),
        HopCase("work-item", "carried-unbound", parts: carriedItem),
    ]

    /// An item that a function makes from a closure, and that sets one word of thread-local storage around it.
    static let threadLocalItem = HopCase("work-item", "thread-local", .threadLocal) {
        let (queue, counter) = (DispatchQueue(label: "thread-local"), Counter())
        return .held(queue) { hops in
            for _ in 0..<hops { queue.async(execute: settingAWord { counter.value += 1 }) }
        }
    }

    @inline(never)
    private static func settingAWord(_ work: @escaping @Sendable () -> Void) -> DispatchWorkItem {
        let user = ThreadLocalUser.current
        return DispatchWorkItem { ThreadLocalUser.with(user, work) }
    }

    private static let carriedItem: @Sendable () -> HopParts = {
        let (queue, counter) = (IdentityQueue(label: "carried"), Counter())
        return .held(queue.base) { hops in
            for _ in 0..<hops {
                queue.async(execute: DispatchWorkItem.propagatingIdentity { counter.value += 1 })
            }
        }
    }

    private static let notifyCases = [
        HopCase("group-notify", "raw") {
            let (queue, group, counter) = (DispatchQueue(label: "raw"), DispatchGroup(), Counter())
            return .held(queue) { hops in for _ in 0..<hops { group.notify(queue: queue) { counter.value += 1 } } }
        },
        HopCase("group-notify", "handwritten", .user) {
            let (queue, group, counter) = (DispatchQueue(label: "handwritten"), DispatchGroup(), Counter())
            return .held(queue) { hops in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    group.notify(queue: queue) { Handwritten.$user.withValue(user) { counter.value += 1 } }
                }
            }
        },
        HopCase("group-notify", "carried", .identity, parts: carriedNotify),
        HopCase("group-notify", "carried-unbound", parts: carriedNotify),
    ]

    private static let carriedNotify: @Sendable () -> HopParts = {
        let (queue, group, counter) = (DispatchQueue(label: "carried"), DispatchGroup(), Counter())
        return .held(queue) { hops in
            for _ in 0..<hops { group.propagatingIdentity.notify(queue: queue) { counter.value += 1 } }
        }
    }
}
