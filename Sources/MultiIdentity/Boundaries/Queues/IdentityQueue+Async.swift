public import Dispatch

extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue as the identity that is bound at the call.
    ///
    /// - Parameters:
    ///   - group: A group that the work counts for until it has run.
    ///   - qos: The quality of service of the work.
    ///   - flags: How the work runs, as `.barrier`.
    ///   - work: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Complexity: O(1); one allocation, as for plain `async`.
    public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        if let handle, qos == .unspecified {
            if let group {
                if flags.isEmpty, let group = GroupHandle(of: group) {
                    return handle.async(group, WorkBox(work, captureForOneShot(at: .async, fileID, line)))
                }
            } else {
                if flags.isEmpty { return handle.async(WorkBox(work, captureForOneShot(at: .async, fileID, line))) }
                if flags == .barrier {
                    return handle.barrierAsync(WorkBox(work, captureForOneShot(at: .async, fileID, line)))
                }
            }
        }
        if let batches { return batches.async(group, qos, flags, work, capture(at: .async, fileID, line)) }
        let captured = capture(at: .async, fileID, line)
        base.async(group: group, qos: qos, flags: flags, execute: captured.wrapOnce(work))
    }

    /// Captured when dispatched: runs `work` on this queue as the identity that is bound at the call.
    ///
    /// This is the shape that most calls have, apart from the general one above because it costs less.
    ///
    /// - Parameters:
    ///   - work: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Complexity: O(1); one allocation, as for plain `async`.
    public func async(
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard let handle else { return asyncWithoutHandle(work, capture(at: .async, fileID, line)) }
        handle.async(WorkBox(work, captureForOneShot(at: .async, fileID, line)))
    }

    private func asyncWithoutHandle(_ work: @escaping @Sendable () -> Void, _ captured: BoundaryCapture) {
        if let batches { batches.async(work, captured) } else { base.async(execute: captured.wrapOnce(work)) }
    }

    /// Captured when the item was created: runs a work item on this queue.
    ///
    /// An item made with ``Dispatch/DispatchWorkItem/propagatingIdentity(qos:flags:block:fileID:line:)`` runs as its creator. A plain
    /// item captured nothing, and runs as in plain Dispatch: as whatever its worker is.
    ///
    /// - Parameter workItem: The item.
    public func async(execute workItem: DispatchWorkItem) {
        if let batches { return Self.hand(workItem, to: batches) }
        base.async(execute: workItem)
    }

    /// Apart, since most queues have none.
    @inline(never)
    private static func hand(_ workItem: DispatchWorkItem, to batches: WorkInBatches) { batches.async(nil, workItem) }

    /// Captured when the item was created: runs a work item on this queue, and counts it for a group.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - workItem: The item.
    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {
        if let batches { batches.async(group, workItem) } else { base.async(group: group, execute: workItem) }
    }
}
