import Dispatch
import MultiIdentityTesting

extension PlainBoundary {
    /// Closures on queues.
    static let queues = asynchronous + synchronous

    private static let asynchronous: [PlainBoundary] = [
        PlainBoundary("async", on: .queue) { $0.async(execute: $1) },
        PlainBoundary("async with a barrier", on: .queue) { $0.async(flags: .barrier, execute: $1) },
        PlainBoundary("async with a QoS", on: .queue) { $0.async(qos: .utility, execute: $1) },
        PlainBoundary("async with flags", on: .queue) { $0.async(flags: [.detached, .enforceQoS], execute: $1) },
        PlainBoundary("async with the context assigned", on: .queue) {
            $0.async(flags: .assignCurrentContext, execute: $1)
        },
        PlainBoundary("async in a group", on: .queue) { $0.async(group: DispatchGroup(), execute: $1) },
        PlainBoundary("async with everything", on: .queue) {
            $0.async(group: DispatchGroup(), qos: .background, flags: [.barrier, .noQoS], execute: $1)
        },
        PlainBoundary("async on a queue that targets another", on: .queue) {
            DispatchQueue(label: "upper", target: $0).async(execute: $1)
        },
        PlainBoundary("async on a queue that is activated later", on: .elsewhere, captured: .registered) { _, work in
            let queue = DispatchQueue(label: "later", attributes: .initiallyInactive)
            queue.async(execute: work)
            return { queue.activate() }
        },
        PlainBoundary("async on a concurrent queue", on: .elsewhere) { _, work in
            DispatchQueue(label: "concurrent", attributes: .concurrent).async(execute: work)
        },
        PlainBoundary("async with a barrier on a concurrent queue", on: .elsewhere) { _, work in
            DispatchQueue(label: "concurrent", attributes: .concurrent).async(flags: .barrier, execute: work)
        },
        PlainBoundary("async on a global queue", on: .elsewhere) { DispatchQueue.global().async(execute: $1) },
        PlainBoundary("async on main", on: .elsewhere) { DispatchQueue.main.async(execute: $1) },
        PlainBoundary("asyncAfter a deadline", on: .queue) {
            $0.asyncAfter(deadline: .now() + .milliseconds(1), execute: $1)
        },
        PlainBoundary("asyncAfter a deadline, with QoS and flags", on: .queue) {
            $0.asyncAfter(deadline: .now(), qos: .utility, flags: .barrier, execute: $1)
        },
        PlainBoundary("asyncAfter a wall clock's deadline", on: .queue) {
            $0.asyncAfter(wallDeadline: .now() + .milliseconds(1), execute: $1)
        },
        PlainBoundary("asyncAfter a deadline on main", on: .elsewhere) {
            DispatchQueue.main.asyncAfter(deadline: .now(), execute: $1)
        },
    ]

    private static let synchronous: [PlainBoundary] = [
        sync("sync") { try $0.sync(execute: $1) },
        sync("sync with a barrier") { try $0.sync(flags: .barrier, execute: $1) },
        sync("sync on a concurrent queue", isReentrant: true) { _, work in
            try DispatchQueue(label: "concurrent", attributes: .concurrent).sync(execute: work)
        },
        sync("sync through a queue that targets another") {
            try DispatchQueue(label: "upper", target: $0).sync(execute: $1)
        },
        PlainBoundary("sync on main", on: .awaited) { DispatchQueue.main.sync(execute: $1) },
        PlainBoundary("concurrentPerform on the calling thread", on: .caller) { _, work in
            DispatchQueue.concurrentPerform(iterations: 1) { _ in work() }
        }.reentrant(),
        PlainBoundary("concurrentPerform on many threads", on: .awaited) { _, work in
            DispatchQueue.concurrentPerform(iterations: 32) { index in if index == 31 { work() } }
        }.reentrant(),
    ]

    private static func sync(
        _ name: String,
        isReentrant: Bool = false,
        _ sync: @escaping @Sendable (DispatchQueue, () throws -> Int) throws -> Int
    ) -> PlainBoundary {
        var boundary = PlainBoundary(name, on: .caller) { queue, work in
            _ = try? sync(queue) {
                work()
                return 0
            }
        }
        boundary.isReentrant = isReentrant
        boundary.throwing = { queue, work in
            _ = try? sync(queue) {
                try work()
                return 0
            }
        }
        boundary.returning = { try sync($0, $1) }
        return boundary
    }

    func reentrant() -> PlainBoundary {
        var copy = self
        copy.isReentrant = true
        return copy
    }
}
