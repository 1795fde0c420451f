import Dispatch
import MultiIdentity

/// `DispatchWorkItem.propagatingIdentity`, performed on the spot in a stranger's scope, where it runs as its creator.
///
/// The stranger is asked after the call.
struct WorkItemPerform: CarriedBoundary {
    let name = "DispatchWorkItem, performed"

    func handOver(_ hop: Hop, _ way: Way) {
        let work: @Sendable () -> Void = { hop.run(isOnMain: hop.callerIsOnMain) }
        let item: DispatchWorkItem =
            switch way {
            case .carried: .propagatingIdentity(block: work)
            case .raw: DispatchWorkItem(block: work)
            }
        withIdentity(hop.stranger) {
            item.perform()
            hop.checkStrangersWorker(isOnMain: hop.callerIsOnMain)
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        switch way {
        case .carried: performAsSomebodyElse(block) { .propagatingIdentity(block: work) }
        case .raw: performAsSomebodyElse(block) { DispatchWorkItem(block: work) }
        }
    }

    /// Otherwise there would be nothing to restore.
    private func performAsSomebodyElse(_ block: HopBlock, _ item: () -> DispatchWorkItem) {
        var items: [DispatchWorkItem] = []
        items.reserveCapacity(block.hops)
        for _ in 0..<block.hops { items.append(item()) }
        var next = items.makeIterator()
        withIdentity(.nobody) {
            block.each { next.next()?.perform() }
        }
    }
}
