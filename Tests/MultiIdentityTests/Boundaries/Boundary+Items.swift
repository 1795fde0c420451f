import Dispatch

@testable import MultiIdentity

extension Boundary {
    /// Ways to run a work item that was made to carry.
    static let workItems: [Boundary] = [
        item("async", on: .queue) { IdentityQueue(wrapping: $0).async(execute: $1) },
        item("async in a group", on: .queue) { IdentityQueue(wrapping: $0).async(group: DispatchGroup(), execute: $1) },
        item("asyncAfter a deadline", on: .queue) {
            IdentityQueue(wrapping: $0).asyncAfter(deadline: .now(), execute: $1)
        },
        item("asyncAfter a wall clock's deadline", on: .queue) {
            IdentityQueue(wrapping: $0).asyncAfter(wallDeadline: .now(), execute: $1)
        },
        item("sync", on: .caller) { IdentityQueue(wrapping: $0).sync(execute: $1) },
        item("perform", on: .caller) { $1.perform() },
        item("async on a plain queue", on: .queue) { $0.async(execute: $1) },
        item("asyncAfter on a plain queue", on: .queue) { $0.asyncAfter(deadline: .now(), execute: $1) },
        item("sync on a plain queue", on: .caller) { $0.sync(execute: $1) },
        item("QoS and flags", qos: .utility, flags: [.barrier, .enforceQoS], on: .queue) { $0.async(execute: $1) },
        item("the context assigned", flags: .assignCurrentContext, on: .queue) { $0.async(execute: $1) },
        item("a group's plain notification", on: .queue) { DispatchGroup().notify(queue: $0, work: $1) },
        item("a group's notification", on: .queue) {
            DispatchGroup().propagatingIdentity.notify(queue: $0, execute: $1)
        },
        item("another item's notification", on: .queue) {
            let other = DispatchWorkItem {}
            other.propagatingIdentity.notify(queue: $0, execute: $1)
            other.perform()
        },
        item("async in a batch", on: .queue) { batched(on: $0).async(execute: $1) },
        item("async in a group, in a batch", on: .queue) { batched(on: $0).async(group: DispatchGroup(), execute: $1) },
        item("asyncAfter a deadline, in a batch", on: .queue) {
            batched(on: $0).asyncAfter(deadline: .now(), execute: $1)
        },
        item("asyncAfter a deadline, beside batches", on: .queue) {
            batched(on: $0).asyncAfter(deadline: .now() + .milliseconds(1), execute: $1)
        },
        item("asyncAfter a wall clock's deadline, beside batches", on: .queue) {
            batched(on: $0).asyncAfter(wallDeadline: .now() + .milliseconds(1), execute: $1)
        },
        item("sync beside batches", on: .caller) { batched(on: $0).sync(execute: $1) },
        item("a group's notification beside batches", on: .queue) {
            DispatchGroup().propagatingIdentity.notify(queue: batched(on: $0), execute: $1)
        },
        item("async on main", on: .elsewhere) { IdentityQueue.main.async(execute: $1) },
        item("async on main in a group", on: .elsewhere) {
            IdentityQueue.main.async(group: DispatchGroup(), execute: $1)
        },
        item("asyncAfter a deadline on main", on: .elsewhere) {
            IdentityQueue.main.asyncAfter(deadline: .now(), execute: $1)
        },
        item("asyncAfter a wall clock's deadline on main", on: .elsewhere) {
            IdentityQueue.main.asyncAfter(wallDeadline: .now(), execute: $1)
        },
        item("sync on main", on: .elsewhereAwaited) { IdentityQueue.main.sync(execute: $1) },
    ]

    private static func item(
        _ name: String,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        on worker: Worker,
        run: @escaping @Sendable (DispatchQueue, DispatchWorkItem) -> Void
    ) -> Boundary {
        let flags = Carried(flags)
        return Boundary("work item: \(name)", on: worker, captured: .created) { queue, work in
            let item = Carried(DispatchWorkItem.propagatingIdentity(qos: qos, flags: flags.value, block: work))
            return { run(queue, item.value) }
        }
    }

    /// Notifications of a group or an item; what they wait for comes after they were registered.
    static let notifications: [Boundary] = [
        Boundary("group notification", on: .queue, captured: .registered) { queue, work in
            afterGroup { $0.notify(queue: queue, execute: work) }
        },
        Boundary("group notification with QoS and flags", on: .queue, captured: .registered) { queue, work in
            afterGroup { $0.notify(qos: .utility, flags: .enforceQoS, queue: queue, execute: work) }
        },
        Boundary("group notification on an identity queue", on: .queue, captured: .registered) { queue, work in
            afterGroup { $0.notify(queue: IdentityQueue(wrapping: queue), execute: work) }
        },
        Boundary("group notification beside batches", on: .queue, captured: .registered) { queue, work in
            afterGroup { $0.notify(queue: batched(on: queue), execute: work) }
        },
        Boundary("item notification beside batches", on: .queue, captured: .registered) { queue, work in
            afterItem { $0.notify(qos: .utility, queue: batched(on: queue), execute: work) }
        },
        Boundary("item notification", on: .queue, captured: .registered) { queue, work in
            afterItem { $0.notify(queue: queue, execute: work) }
        },
        Boundary("item notification with QoS and flags", on: .queue, captured: .registered) { queue, work in
            afterItem {
                $0.notify(qos: .utility, flags: .enforceQoS, queue: IdentityQueue(wrapping: queue), execute: work)
            }
        },
    ]

    private static func afterGroup(_ register: (IdentityNotifier) -> Void) -> Work {
        let group = DispatchGroup()
        group.enter()
        register(group.propagatingIdentity)
        return { group.leave() }
    }

    private static func afterItem(_ register: (IdentityNotifier) -> Void) -> Work {
        let item = Carried(DispatchWorkItem {})
        register(item.value.propagatingIdentity)
        return { item.value.perform() }
    }
}

/// Carries a work item or its flags into a closure: both are safe there, and on Linux lack the word for it.
struct Carried<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
