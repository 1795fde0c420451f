import Dispatch

@testable import MultiIdentity

/// A queue that can run a program.
protocol ProgramQueue: Sendable {
    func suspend()
    func resume()
    func handOver(_ way: QueueProgram.Way, _ group: DispatchGroup, _ work: @escaping @Sendable () -> Void)
}

extension QueueProgram {
    struct Entry: Sendable, Equatable {
        let number: Int
        let identity: Identity?
    }

    /// Runs the program and returns the work that ran, in order, with its identities.
    ///
    /// It blocks its thread.
    func run(on queue: some ProgramQueue) -> [Entry] {
        let (notes, group) = (Notes<Entry>(), DispatchGroup())
        for round in rounds {
            if round.isHeld { queue.suspend() }
            for step in round.steps { hand(step, over: queue, group, notes) }
            if round.isHeld { queue.resume() }
            // The second for work that the round's work has handed over.
            for _ in 1...2 { queue.handOver(.sync, group) {} }
        }
        group.wait()
        return notes.all
    }

    private func hand(_ step: Step, over queue: some ProgramQueue, _ group: DispatchGroup, _ notes: Notes<Entry>) {
        withIdentity(step.caller) {
            queue.handOver(step.way, group) {
                notes.add(Entry(number: step.number, identity: .current))
                switch step.deed {
                case .nothing: break
                case .handsOver(let steps): for step in steps { hand(step, over: queue, group, notes) }
                case .suspends:
                    queue.suspend()
                    DispatchQueue.global().async { queue.resume() }
                case .binds: withIdentity(.nobody) { withIdentity(nil) {} }
                }
            }
        }
    }
}

extension DispatchQueue: ProgramQueue {
    func handOver(_ way: QueueProgram.Way, _ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        switch way {
        case .async: async(execute: work)
        case .barrier: async(flags: .barrier, execute: work)
        case .quality: async(qos: .utility, flags: .enforceQoS, execute: work)
        case .group: async(group: group, execute: work)
        case .item: async(execute: DispatchWorkItem(block: work))
        case .itemInGroup: async(group: group, execute: DispatchWorkItem(block: work))
        case .due: asyncAfter(deadline: .now(), execute: work)
        case .dueItem: asyncAfter(deadline: .now() - 1, execute: DispatchWorkItem(block: work))
        case .dueByWallClock: asyncAfter(wallDeadline: .now() - 1, execute: work)
        case .sync: sync(execute: work)
        case .syncBarrier: sync(flags: .barrier, execute: work)
        case .syncItem: sync(execute: DispatchWorkItem(block: work))
        }
    }
}

extension IdentityQueue: ProgramQueue {
    func handOver(_ way: QueueProgram.Way, _ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
        switch way {
        case .async: async(execute: work)
        case .barrier: async(flags: .barrier, execute: work)
        case .quality: async(qos: .utility, flags: .enforceQoS, execute: work)
        case .group: async(group: group, execute: work)
        case .item: async(execute: .propagatingIdentity(block: work))
        case .itemInGroup: async(group: group, execute: .propagatingIdentity(block: work))
        case .due: asyncAfter(deadline: .now(), execute: work)
        case .dueItem: asyncAfter(deadline: .now() - 1, execute: .propagatingIdentity(block: work))
        case .dueByWallClock: asyncAfter(wallDeadline: .now() - 1, execute: work)
        case .sync: sync(execute: work)
        case .syncBarrier: sync(flags: .barrier, execute: work)
        case .syncItem: sync(execute: DispatchWorkItem.propagatingIdentity(block: work))
        }
    }
}
