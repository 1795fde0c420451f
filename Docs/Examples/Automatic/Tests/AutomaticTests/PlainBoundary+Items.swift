import Dispatch
import MultiIdentityTesting

extension PlainBoundary {
    /// Work items, captured when they are made.
    static let items: [PlainBoundary] = [
        item("async", on: .queue) { $0.async(execute: $1) },
        item("async in a group", on: .queue) { $0.async(group: DispatchGroup(), execute: $1) },
        item("asyncAfter a deadline", on: .queue) { $0.asyncAfter(deadline: .now(), execute: $1) },
        item("asyncAfter a wall clock's deadline", on: .queue) { $0.asyncAfter(wallDeadline: .now(), execute: $1) },
        item("sync", on: .caller) { $0.sync(execute: $1) },
        item("perform", on: .caller) { $1.perform() }.reentrant(),
        item("QoS and flags", qos: .utility, flags: [.barrier, .enforceQoS], on: .queue) { $0.async(execute: $1) },
        item("the context assigned", flags: .assignCurrentContext, on: .queue) { $0.async(execute: $1) },
        item("a group's notification", on: .queue) { DispatchGroup().notify(queue: $0, work: $1) },
        item("another item's notification", on: .queue) {
            let other = DispatchWorkItem {}
            other.notify(queue: $0, execute: $1)
            other.perform()
        },
        item("async on main", on: .elsewhere) { DispatchQueue.main.async(execute: $1) },
    ]

    private static func item(
        _ name: String,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        on worker: Worker,
        run: @escaping @Sendable (DispatchQueue, DispatchWorkItem) -> Void
    ) -> PlainBoundary {
        let flags = Carried(flags)
        var boundary = PlainBoundary("work item: \(name)", on: worker, captured: .created) { queue, work in
            let item = Carried(DispatchWorkItem(qos: qos, flags: flags.value, block: work))
            return { run(queue, item.value) }
        }
        boundary.isReusable = true
        boundary.dropping = { queue, work in
            let item = DispatchWorkItem(qos: qos, flags: flags.value, block: work)
            item.cancel()
            run(queue, item)
        }
        return boundary
    }

    /// Notifications, captured when they are registered; what they wait for comes later.
    static let notifications: [PlainBoundary] = [
        notification("group notification") { $0.notify(queue: $1, execute: $2) },
        notification("group notification with QoS and flags") {
            $0.notify(qos: .utility, flags: .enforceQoS, queue: $1, execute: $2)
        },
        PlainBoundary("group notification on main", on: .elsewhere, captured: .registered) { _, work in
            afterGroup { $0.notify(queue: .main, execute: work) }
        },
        PlainBoundary("item notification", on: .queue, captured: .registered) { queue, work in
            afterItem { $0.notify(queue: queue, execute: work) }
        },
        PlainBoundary("item notification with QoS and flags", on: .queue, captured: .registered) { queue, work in
            afterItem { $0.notify(qos: .utility, flags: .enforceQoS, queue: queue, execute: work) }
        },
    ]

    private static func notification(
        _ name: String,
        _ register: @escaping @Sendable (DispatchGroup, DispatchQueue, @escaping Work) -> Void
    ) -> PlainBoundary {
        PlainBoundary(name, on: .queue, captured: .registered) { queue, work in
            afterGroup { register($0, queue, work) }
        }
    }

    private static func afterGroup(_ register: (DispatchGroup) -> Void) -> Work {
        let group = DispatchGroup()
        group.enter()
        register(group)
        return { group.leave() }
    }

    private static func afterItem(_ register: (DispatchWorkItem) -> Void) -> Work {
        let item = Carried(DispatchWorkItem {})
        register(item.value)
        return { item.value.perform() }
    }
}
