import Dispatch
import MultiIdentity

extension CataloguedBoundary {
    /// Work items, and what follows on them and on groups.
    static let items = plainlyRun + runByQueues + notifications

    private static let plainlyRun: [CataloguedBoundary] = [
        item("dispatched") { $0.queue.async(execute: $1) }.taking(#"DispatchWorkItem\.init\(.*"#).costing("work-item"),
        item("dispatched later") { $0.queue.asyncAfter(deadline: .now(), execute: $1) },
        item("performed", at: .performed, on: .caller, .reentrant) { $1.perform() },
        item("as a notification", at: .registered) { DispatchGroup().notify(queue: $0.queue, work: $1) },
        item("with QoS and flags", qos: .utility, flags: [.barrier, .enforceQoS], .variant) {
            $0.queue.async(execute: $1)
        },
        item("with the context assigned", flags: .assignCurrentContext, .variant) { $0.queue.async(execute: $1) },
        item("as another item's notification", at: .registered, .variant) { crossing, item in
            let other = DispatchWorkItem {}
            crossing.carries
                ? other.propagatingIdentity.notify(queue: crossing.queue, execute: item)
                : other.notify(queue: crossing.queue, execute: item)
            other.perform()
        },
        item("as a carrying group's notification", at: .registered, .variant) { crossing, item in
            crossing.carries
                ? DispatchGroup().propagatingIdentity.notify(queue: crossing.queue, execute: item)
                : DispatchGroup().notify(queue: crossing.queue, work: item)
        },
        item("as a notification beside batches", at: .registered, .variant) { crossing, item in
            if case .carrying(let queue) = WorkQueue.batched(crossing, on: crossing.queue) {
                DispatchGroup().propagatingIdentity.notify(queue: queue, execute: item)
            } else {
                DispatchGroup().notify(queue: crossing.queue, work: item)
            }
        },
        item("sync", on: .caller, .variant) { $0.queue.sync(execute: $1) },
    ]

    /// Run by queues that carry; all are variants.
    private static let runByQueues = [
        onQueue("") { $0.workQueue },
        onQueue(", in batches") { .batched($0, on: $0.queue) },
        onQueue(", on main", isMain: true) { .main($0) },
    ].flatMap(\.self)

    private static func onQueue(
        _ suffix: String,
        isMain: Bool = false,
        _ queue: @escaping @Sendable (any BoundaryCrossing) -> WorkQueue
    ) -> [CataloguedBoundary] {
        func item(
            _ name: String,
            on worker: Worker = isMain ? .elsewhere : .queue,
            _ run: @escaping @Sendable (WorkQueue, DispatchWorkItem) -> Void
        ) -> CataloguedBoundary {
            Self.item("by a queue's \(name)\(suffix)", on: worker, .variant) { run(queue($0), $1) }
        }
        return [
            item("async") { $0.async(execute: $1) },
            item("async with a group") { $0.async(group: DispatchGroup(), execute: $1) },
            item("asyncAfter(deadline:)") { $0.asyncAfter(deadline: .now(), execute: $1) },
            item("asyncAfter(deadline:) later") { $0.asyncAfter(deadline: .now() + .milliseconds(1), execute: $1) },
            item("asyncAfter(wallDeadline:)") { $0.asyncAfter(wallDeadline: .now(), execute: $1) },
            item("asyncAfter(wallDeadline:) later") {
                $0.asyncAfter(wallDeadline: .now() + .milliseconds(1), execute: $1)
            },
            item("sync", on: isMain ? .elsewhereAwaited : .caller) { $0.sync(execute: $1) },
        ]
    }

    private static func item(
        _ name: String,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        at moment: Moment = .dispatched,
        on worker: Worker = .queue,
        _ traits: Traits = [],
        _ run: @escaping @Sendable (any BoundaryCrossing, DispatchWorkItem) -> Void
    ) -> CataloguedBoundary {
        let flags = Held(flags)
        var boundary = CataloguedBoundary(
            "DispatchWorkItem, \(name)",
            .items,
            captured: .created,
            on: worker,
            as: "DispatchWorkItem.propagatingIdentity { }",
            traits.union(.reusable)
        ) { crossing in
            let item = crossing.at(.created) { crossing.item(qos, flags.value) }
            crossing.then(moment) { run(crossing, item) }
        }
        boundary.drop = { crossing in
            let item = crossing.item(qos, flags.value)
            item.cancel()
            run(crossing, item)
        }
        return boundary
    }

    /// Notifications of a group or an item; what they wait for comes after they were registered.
    private static let notifications: [CataloguedBoundary] = [
        group("group.notify") { group, crossing in
            crossing.carries
                ? group.propagatingIdentity.notify(queue: crossing.queue, execute: crossing.work)
                : group.notify(queue: crossing.queue, execute: crossing.work)
        }.taking(#"Dispatch(Group|WorkItem)\.notify\(.*"#).costing("group-notify"),
        group("group.notify, with QoS and flags", .variant) { group, crossing in
            let (queue, work) = (crossing.queue, crossing.work)
            crossing.carries
                ? group.propagatingIdentity.notify(qos: .utility, flags: .enforceQoS, queue: queue, execute: work)
                : group.notify(qos: .utility, flags: .enforceQoS, queue: queue, execute: work)
        },
        group("group.notify, on a queue that carries", .variant) { group, crossing in
            crossing.carries
                ? group.propagatingIdentity.notify(
                    queue: IdentityQueue(wrapping: crossing.queue),
                    execute: crossing.work
                )
                : group.notify(queue: crossing.queue, execute: crossing.work)
        },
        group("group.notify, beside batches", .variant) { group, crossing in
            if case .carrying(let queue) = WorkQueue.batched(crossing, on: crossing.queue) {
                group.propagatingIdentity.notify(queue: queue, execute: crossing.work)
            } else {
                group.notify(queue: crossing.queue, execute: crossing.work)
            }
        },
        itemEnd("item.notify") { item, crossing in
            crossing.carries
                ? item.propagatingIdentity.notify(queue: crossing.queue, execute: crossing.work)
                : item.notify(queue: crossing.queue, execute: crossing.work)
        },
        itemEnd("item.notify, with QoS and flags", .variant) { item, crossing in
            let (queue, work) = (crossing.queue, crossing.work)
            crossing.carries
                ? item.propagatingIdentity.notify(
                    qos: .utility,
                    flags: .enforceQoS,
                    queue: IdentityQueue(wrapping: queue),
                    execute: work
                )
                : item.notify(qos: .utility, flags: .enforceQoS, queue: queue, execute: work)
        },
        itemEnd("item.notify, beside batches", .variant) { item, crossing in
            if case .carrying(let queue) = WorkQueue.batched(crossing, on: crossing.queue) {
                item.propagatingIdentity.notify(qos: .utility, queue: queue, execute: crossing.work)
            } else {
                item.notify(qos: .utility, queue: crossing.queue, execute: crossing.work)
            }
        },
    ]

    private static func group(
        _ name: String,
        on worker: Worker = .queue,
        _ traits: Traits = [],
        _ register: @escaping @Sendable (DispatchGroup, any BoundaryCrossing) -> Void
    ) -> CataloguedBoundary {
        let spelling = "group.propagatingIdentity.notify"
        return CataloguedBoundary(name, .items, captured: .registered, on: worker, as: spelling, traits) { crossing in
            let group = DispatchGroup()
            group.enter()
            crossing.at(.registered) { register(group, crossing) }
            crossing.then(.emptied) { group.leave() }
        }
    }

    private static func itemEnd(
        _ name: String,
        _ traits: Traits = [],
        _ register: @escaping @Sendable (DispatchWorkItem, any BoundaryCrossing) -> Void
    ) -> CataloguedBoundary {
        let spelling = "item.propagatingIdentity.notify"
        return CataloguedBoundary(name, .items, captured: .registered, on: .queue, as: spelling, traits) { crossing in
            let item = DispatchWorkItem {}
            crossing.at(.registered) { register(item, crossing) }
            crossing.then(.performed) { item.perform() }
        }
    }
}

extension BoundaryCrossing {
    /// An item that does the work.
    func item(_ qos: DispatchQoS = .unspecified, _ flags: DispatchWorkItemFlags = []) -> DispatchWorkItem {
        carries
            ? .propagatingIdentity(qos: qos, flags: flags, block: work)
            : DispatchWorkItem(qos: qos, flags: flags, block: work)
    }
}
