extension IdentityQueue {
    /// The mode in which a queue runs its work.
    public struct Draining: Hashable, Sendable {
        private enum Way: Hashable {
            case oneByOne, inBatches
            case fairly(FairTerms)
        }

        private let way: Way

        private init(way: Way) { self.way = way }

        init(fairly terms: FairTerms) { way = .fairly(terms) }

        package var isFair: Bool { terms != nil }

        /// The terms of a fair queue.
        var terms: FairTerms? { if case .fairly(let terms) = way { terms } else { nil } }

        /// Hands each piece of work to Dispatch separately.
        public static let oneByOne = Draining(way: .oneByOne)

        /// Collects work in the queue's own list, and hands up to 128 pieces to Dispatch at a time: for queues with many small
        /// pieces of work.
        ///
        /// Captured when dispatched; each piece runs as its captured identity and is released, outside its scope, before the next
        /// one begins. Everything that goes through the queue's own methods keeps Dispatch's order: closures, barriers, groups,
        /// work items, `sync`, delayed work and suspension. `dispatchPrecondition` and `getSpecific` work as usual. A queue with
        /// a target other than a global queue lets other queues on that target run after at most 128 pieces.
        ///
        /// The differences:
        /// - Work that reaches ``IdentityQueue/base`` without this type's methods runs after everything handed over before it,
        ///   but may be overtaken by later work: by fewer than 128 pieces, or 256 if a suspension interrupted a batch. This
        ///   applies to plain `base.async`, a notification when its group becomes empty, and a source's handlers. After a
        ///   suspension in the middle of a batch, such work may run before the rest of the batch.
        /// - Suspend and retarget the queue with its own methods. A batch that has begun does not notice `base.suspend()`, and
        ///   runs to its end.
        /// - On Apple platforms a batch has the quality of service of the call that began it, and one autorelease pool.
        ///
        /// A concurrent queue has no order to preserve, and drains one by one instead.
        public static let inBatches = Draining(way: .inBatches)
    }

    /// The mode in which the queue runs its work.
    var draining: Draining {
        switch route {
        case .batches: .inBatches
        case .turns(let turns): Draining(fairly: turns.terms)
        case .handle, .closures: .oneByOne
        }
    }
}
