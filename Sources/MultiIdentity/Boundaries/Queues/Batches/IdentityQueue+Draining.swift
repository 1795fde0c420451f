extension IdentityQueue {
    /// The way in which a serial queue gets its work run.
    public struct Draining: Hashable, Sendable {
        private enum Way { case oneByOne, inBatches }

        private let way: Way

        /// Each piece of work is handed to Dispatch by itself.
        public static let oneByOne = Draining(way: .oneByOne)

        /// Work is kept in a list of the queue's own, and handed to Dispatch up to 128 pieces at a time: for queues that
        /// many small pieces of work go through.
        ///
        /// Captured when dispatched, as on any ``IdentityQueue``; each piece runs as its captured identity and is
        /// released, outside its scope, before the next one begins. All that goes through the queue's own methods keeps
        /// Dispatch's order: closures, barriers, groups, work items, `sync`, delayed work, suspension, and what the queue is
        /// asked in its work (`dispatchPrecondition`, `getSpecific`). A queue that was given a target, other than a global
        /// queue, lets others on that target have their turn after 128 pieces at most.
        ///
        /// What differs:
        /// - What reaches ``IdentityQueue/base`` by another way runs after all that was handed over before it, but work
        ///   that is handed over later may overtake it: less than 128 pieces, or 256 where a suspension cut a batch short.
        ///   So it is for plain `base.async`, a notification when its group becomes empty, and a source's handlers. After a
        ///   suspension in the middle of a batch, what went to `base` past this package may run before the rest of it.
        /// - Suspend and retarget the queue by its own methods. Of `base.suspend()` a batch that has begun knows nothing,
        ///   and ends first.
        /// - On Apple platforms a batch has the quality of service of the call that began it, and one autorelease pool.
        ///
        /// A concurrent queue has no order that a batch could keep, and drains one by one all the same.
        public static let inBatches = Draining(way: .inBatches)
    }

    /// The way in which the queue gets its work run.
    var draining: Draining { batches == nil ? .oneByOne : .inBatches }
}
