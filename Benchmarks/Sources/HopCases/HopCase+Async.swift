import Dispatch
import MultiIdentity

extension HopParts {
    /// On a serial queue that is suspended until all work has been handed over.
    static func held(_ queue: DispatchQueue, enqueue: @escaping @Sendable (Int) -> Void) -> HopParts {
        HopParts(hold: { queue.suspend() }, enqueue: enqueue) {
            queue.resume()
            queue.sync {}
        }
    }
}

extension HopCase {
    static let asyncCases = waysOfAsync + functionCases + waysWithGroup

    static let carriedAsync: @Sendable () -> HopParts = {
        let (queue, counter) = (IdentityQueue(label: "carried"), Counter())
        return .held(queue.base) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
    }

    static let handwrittenAsync: @Sendable () -> HopParts = {
        let (queue, counter) = (DispatchQueue(label: "handwritten"), Counter())
        return .held(queue) { hops in
            for _ in 0..<hops {
                let user = Handwritten.user
                queue.async { Handwritten.$user.withValue(user) { counter.value += 1 } }
            }
        }
    }

    static let waysOfAsync = [
        HopCase("async", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return .held(queue) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        HopCase("async", "handwritten", .user, parts: handwrittenAsync),
        HopCase("async", "work-item") {
            let (queue, counter) = (DispatchQueue(label: "item"), Counter())
            return .held(queue) { hops in
                for _ in 0..<hops { queue.async(execute: DispatchWorkItem { counter.value += 1 }) }
            }
        },
        HopCase("async", "carried", .identity, parts: carriedAsync),
        HopCase("async", "carried-unbound", parts: carriedAsync),
    ]

    private static let carriedWithGroup: @Sendable () -> HopParts = {
        let (queue, group, counter) = (IdentityQueue(label: "carried"), DispatchGroup(), Counter())
        return .held(queue.base) { hops in for _ in 0..<hops { queue.async(group: group) { counter.value += 1 } } }
    }

    private static let waysWithGroup = [
        HopCase("async-group", "raw") {
            let (queue, group, counter) = (DispatchQueue(label: "raw"), DispatchGroup(), Counter())
            return .held(queue) { hops in for _ in 0..<hops { queue.async(group: group) { counter.value += 1 } } }
        },
        HopCase("async-group", "handwritten", .user) {
            let (queue, group, counter) = (DispatchQueue(label: "handwritten"), DispatchGroup(), Counter())
            return .held(queue) { hops in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    queue.async(group: group) { Handwritten.$user.withValue(user) { counter.value += 1 } }
                }
            }
        },
        HopCase("async-group", "carried", .identity, parts: carriedWithGroup),
        HopCase("async-group", "carried-unbound", parts: carriedWithGroup),
    ]
}
