import Dispatch
import Synchronization

// What the queue's methods come down to.
extension WorkInBatches {
    /// Keeps work from beginning in a batch that runs, too.
    ///
    /// Noted after the queue is suspended, and forgotten before it is resumed: a turn that sees a count, and asks for another,
    /// asks a suspended queue.
    func noteSuspension() { suspensions.add(1, ordering: .relaxed) }

    func forgetSuspension() { suspensions.subtract(1, ordering: .relaxed) }

    func setTarget(_ target: DispatchQueue?) {
        let shared = Self.shared(target)
        self.target.withLock { $0 = shared }
    }

    /// Hands over a closure as most are, as the identity that is bound here.
    @inline(never)  // apart, since most queues have no such list
    func async(_ work: @escaping @Sendable () -> Void, _ fileID: StaticString, _ line: UInt) {
        add(BatchedWork(work, BoundaryCapture(at: .async, onto: queue, fileID, line)))
    }

    /// Hands over a closure with all that it can be handed over with.
    func hand(_ work: @escaping @Sendable () -> Void, _ how: HandOver, _ captured: BoundaryCapture) {
        // As in Dispatch, what is due already goes where everything else goes.
        if let time = how.time, !time.hasCome { return how.hand(inTurn(work, captured), to: queue) }
        how.group?.enter()
        if how.qos == .unspecified, how.flags.isEmpty || how.flags == .barrier {
            add(BatchedWork(work, captured, for: how.group))
        } else {
            let item = DispatchWorkItem(qos: how.qos, flags: how.flags, block: captured.wrapOnce(work))
            add(BatchedWork(item: item, for: how.group))
        }
    }

    /// Hands over a work item, which runs as it was made to.
    @inline(never)  // the same
    func hand(_ item: DispatchWorkItem, for group: DispatchGroup?, at time: DueTime?) {
        if let time, !time.hasCome { return HandOver(time: time).hand(inTurn(item), to: queue) }
        group?.enter()
        add(BatchedWork(item: item, for: group))
    }

    /// `work` for a place in the queue beside the turns: where the queue is behind it goes to the end of the list.
    func inTurn(_ work: @escaping @Sendable () -> Void, _ captured: BoundaryCapture) -> @Sendable () -> Void {
        { [self] in
            if isUpToDate { captured.restoreOnce(work) } else { add(BatchedWork(work, captured)) }
        }
    }

    /// The same for a work item.
    func inTurn(_ item: DispatchWorkItem) -> @Sendable () -> Void {
        // `nonisolated(unsafe)`: a thread-safe object of libdispatch, which on Linux lacks the word for it.
        nonisolated(unsafe) let item = item
        return { [self] in
            if isUpToDate { item.perform() } else { hand(item, for: nil, at: nil) }
        }
    }
}
