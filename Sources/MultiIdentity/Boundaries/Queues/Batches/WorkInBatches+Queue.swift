import Dispatch
import Synchronization

// The list's side of the queue's methods.
extension WorkInBatches {
    /// Keeps work from beginning, also in a batch that runs.
    ///
    /// Call it after the queue is suspended, and ``forgetSuspension()`` before it is resumed: a turn that sees a count, and
    /// requests another turn, requests it from a suspended queue.
    func noteSuspension() { suspensions.add(1, ordering: .relaxed) }

    func forgetSuspension() { suspensions.subtract(1, ordering: .relaxed) }

    func setTarget(_ target: DispatchQueue?) {
        let shared = Self.shared(target)
        self.target.withLock { $0 = shared }
    }

    /// Hands over a closure of the common form, as the identity that is bound here.
    @inline(never)  // separate, since most queues have no such list
    func async(_ work: @escaping @Sendable () -> Void, _ fileID: StaticString, _ line: UInt) {
        add(BatchedWork(work, BoundaryCapture(at: .async, onto: queue, fileID, line)))
    }

    /// Hands over a closure with all its options.
    func hand(_ work: @escaping @Sendable () -> Void, _ how: HandOver, _ captured: BoundaryCapture) {
        // As in Dispatch, work that is already due takes the normal path.
        if let time = how.time, !time.hasCome { return how.hand(inTurn(work, captured), to: queue) }
        how.group?.enter()
        if how.qos == .unspecified, how.flags.isEmpty || how.flags == .barrier {
            add(BatchedWork(work, captured, for: how.group))
        } else {
            let item = DispatchWorkItem(qos: how.qos, flags: how.flags, block: captured.wrapOnce(work))
            add(BatchedWork(item: item, for: how.group))
        }
    }

    /// Hands over a work item, which runs with the identity of its creation.
    @inline(never)  // the same
    func hand(_ item: DispatchWorkItem, for group: DispatchGroup?, at time: DueTime?) {
        if let time, !time.hasCome { return HandOver(time: time).hand(inTurn(item), to: queue) }
        group?.enter()
        add(BatchedWork(item: item, for: group))
    }

    /// Returns `work` for submission beside the turns: if the queue is behind, it goes to the end of the list.
    func inTurn(_ work: @escaping @Sendable () -> Void, _ captured: BoundaryCapture) -> @Sendable () -> Void {
        { [self] in
            if isUpToDate { captured.restoreOnce(work) } else { add(BatchedWork(work, captured)) }
        }
    }

    /// Returns a work item for submission beside the turns.
    func inTurn(_ item: DispatchWorkItem) -> @Sendable () -> Void {
        // `nonisolated(unsafe)`: a thread-safe object of libdispatch, which is not marked `Sendable` on Linux.
        nonisolated(unsafe) let item = item
        return { [self] in
            if isUpToDate { item.perform() } else { hand(item, for: nil, at: nil) }
        }
    }
}
