public import Dispatch

extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue at or after `deadline`, as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - deadline: The time, on the clock that stops while the machine sleeps.
    ///   - qos: The quality of service of the work.
    ///   - flags: The flags of the work, such as `.barrier`.
    ///   - work: The work; it is released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Complexity: O(1); as many allocations as plain `asyncAfter`.
    public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let how = HandOver(qos: qos, flags: flags, time: .uptime(deadline))
        hand(work, how, at: .asyncAfter, fileID, line)
    }

    /// Captured when dispatched: runs `work` on this queue at or after `wallDeadline`, as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - wallDeadline: The time, on the wall clock.
    ///   - qos: The quality of service of the work.
    ///   - flags: The flags of the work, such as `.barrier`.
    ///   - work: The work; it is released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Complexity: O(1); as many allocations as plain `asyncAfter`.
    public func asyncAfter(
        wallDeadline: DispatchWallTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let how = HandOver(qos: qos, flags: flags, time: .wall(wallDeadline))
        hand(work, how, at: .asyncAfter, fileID, line)
    }

    /// Captured when the item was created: runs a work item on this queue at or after `deadline`.
    public func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
        hand(workItem, at: .uptime(deadline))
    }

    /// Captured when the item was created: runs a work item on this queue at or after `wallDeadline`.
    public func asyncAfter(wallDeadline: DispatchWallTime, execute workItem: DispatchWorkItem) {
        hand(workItem, at: .wall(wallDeadline))
    }
}
