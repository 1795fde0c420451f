public import Dispatch

extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue as the identity that is bound at the call.
    ///
    /// - Parameters:
    ///   - group: A group that the work counts for until it has run.
    ///   - qos: The quality of service of the work.
    ///   - flags: The flags of the work, such as `.barrier`.
    ///   - work: The work; it is released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Complexity: O(1); one allocation, as for plain `async`.
    public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        hand(work, HandOver(group: group, qos: qos, flags: flags), at: .async, fileID, line)
    }

    /// Captured when dispatched: runs `work` on this queue as the identity that is bound at the call.
    ///
    /// The common form; it costs less than the form with options.
    ///
    /// - Parameters:
    ///   - work: The work; it is released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Complexity: O(1); one allocation, as for plain `async`.
    public func async(
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        switch route {
        case .handle(let handle):
            handle.async(WorkBox(work, BoundaryCapture(at: .async, onto: base, runsOnce: true, fileID, line)))
        case .batches(let batches): batches.async(work, fileID, line)
        case .turns(let turns): turns.async(work, fileID, line)
        case .closures: async(group: nil, execute: work, fileID: fileID, line: line)
        }
    }

    /// Captured when the item was created: runs a work item on this queue.
    ///
    /// An item made with ``Dispatch/DispatchWorkItem/propagatingIdentity(qos:flags:block:fileID:line:)`` runs as its creator. A
    /// plain item captured nothing, and runs as in plain Dispatch: as its worker's identity.
    ///
    /// - Parameter workItem: The item.
    public func async(execute workItem: DispatchWorkItem) { hand(workItem) }

    /// Captured when the item was created: runs a work item on this queue, and counts it for a group.
    ///
    /// - Parameters:
    ///   - group: The group.
    ///   - workItem: The item.
    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) { hand(workItem, for: group) }
}
