import MultiIdentity

/// `Task.propagatingIdentity.detached`.
///
/// The workers are asked by a plain detached task, or a raw closure on a global queue, started by the work.
struct TaskDetached: CarriedBoundary {
    let name = "Task.detached { }"

    func handOver(_ hop: Hop, _ way: Way) {
        switch way {
        case .carried: Task.propagatingIdentity.detached { await work(hop) }
        case .raw: Task.detached { await work(hop) }
        }
    }

    private func work(_ hop: Hop) async {
        if hop.step.variant & 2 == 0 { await Task.yield() }
        hop.run { hop.askTaskWorker() }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        switch way {
        case .carried: block.each { Task.propagatingIdentity.detached { work() } }
        case .raw: block.each { Task.detached { work() } }
        }
    }
}
