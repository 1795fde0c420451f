import MultiIdentity

/// `sequence.propagatingIdentity`, which a stranger iterates: its elements are made as the identity that created it.
///
/// The stranger is asked after the loop.
struct SequenceElement: CarriedBoundary {
    let name = "AsyncSequence, its next()"

    func handOver(_ hop: Hop, _ way: Way) {
        let iterate = iterating(way) {
            if hop.step.variant & 2 == 0 { await Task.yield() }
            hop.run()
        }
        hop.request.enter()
        Task.detached {
            await withIdentity(hop.stranger) {
                await iterate()
                hop.checkStrangersWorker()
            }
            hop.request.leave()
        }
    }

    func run(_ block: HopBlock, _ way: Way) {
        let work = block.work
        block.each {
            let iterate = iterating(way) { work() }
            Task.detached { await iterate() }
        }
    }

    /// A loop over a sequence that does the work and ends.
    private func iterating(
        _ way: Way,
        _ work: @escaping @Sendable () async -> Void
    ) -> @Sendable () async -> Void {
        let elements = AsyncStream<Never> {
            await work()
            return nil
        }
        switch way {
        case .carried:
            let carrying = elements.propagatingIdentity
            return { for await _ in carrying {} }
        case .raw: return { for await _ in elements {} }
        }
    }
}
