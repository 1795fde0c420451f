import Dispatch
import MultiIdentity

extension ExaminedBoundary {
    /// Work items, and what follows on them and on groups.
    static let items: [ExaminedBoundary] = [
        item("DispatchWorkItem, dispatched", at: .dispatched) { $0.queue.async(execute: $1) },
        item("DispatchWorkItem, dispatched later", at: .dispatched) {
            $0.queue.asyncAfter(deadline: .now(), execute: $1)
        },
        item("DispatchWorkItem, performed", at: .performed) { $1.perform() }.awaited,
        item("DispatchWorkItem, as a notification", at: .registered) {
            DispatchGroup().notify(queue: $0.queue, work: $1)
        },
        notification("group.notify", of: .emptied) {
            let group = DispatchGroup()
            group.enter()
            return (group, { group.leave() })
        } plain: {
            $0.notify(queue: $1.queue, execute: $1.work)
        } carried: {
            $0.propagatingIdentity.notify(queue: $1.queue, execute: $1.work)
        },
        notification("item.notify", of: .performed) {
            let item = DispatchWorkItem {}
            return (item, { item.perform() })
        } plain: {
            $0.notify(queue: $1.queue, execute: $1.work)
        } carried: {
            $0.propagatingIdentity.notify(queue: $1.queue, execute: $1.work)
        },
    ]

    private static func item(
        _ name: String,
        at moment: Moment,
        _ handOver: @escaping @Sendable (Crossing, DispatchWorkItem) -> Void
    ) -> ExaminedBoundary {
        ExaminedBoundary(
            name,
            .items,
            captured: .created,
            as: "DispatchWorkItem.propagatingIdentity { }"
        ) { crossing in
            let item = crossing.at(.created) { DispatchWorkItem(block: crossing.work) }
            crossing.at(moment) { handOver(crossing, item) }
        } carried: { crossing in
            let item = crossing.at(.created) { DispatchWorkItem.propagatingIdentity(block: crossing.work) }
            crossing.at(moment) { handOver(crossing, item) }
        }
    }

    private static func notification<Base>(
        _ name: String,
        of moment: Moment,
        make: @escaping @Sendable () -> (Base, () -> Void),
        plain: @escaping @Sendable (Base, Crossing) -> Void,
        carried: @escaping @Sendable (Base, Crossing) -> Void
    ) -> ExaminedBoundary {
        let spelling = name.replacing(".notify", with: ".propagatingIdentity.notify")
        return ExaminedBoundary(name, .items, captured: .registered, as: spelling) { crossing in
            let (base, happen) = make()
            crossing.at(.registered) { plain(base, crossing) }
            crossing.at(moment) { happen() }
        } carried: { crossing in
            let (base, happen) = make()
            crossing.at(.registered) { carried(base, crossing) }
            crossing.at(moment) { happen() }
        }
    }
}
