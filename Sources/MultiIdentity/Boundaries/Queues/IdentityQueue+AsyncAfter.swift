public import Dispatch

extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue at or after `deadline`, as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - deadline: The time, on the clock that stops while the machine sleeps.
    ///   - qos: The quality of service of the work.
    ///   - flags: How the work runs, as `.barrier`.
    ///   - work: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Complexity: O(1); no allocation more than plain `asyncAfter`.
    public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        if let handle, qos == .unspecified, flags.isEmpty {
            let captured = captureForOneShot(at: .asyncAfter, fileID, line)
            return handle.async(after: deadline.rawValue, WorkBox(work, captured))
        }
        let captured = capture(at: .asyncAfter, fileID, line)
        if let batches {
            // As in Dispatch, what is due already goes where everything else goes.
            if deadline <= .now() { return batches.async(nil, qos, flags, work, captured) }
            let work = batches.inTurn(work, captured)
            return base.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work)
        }
        base.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: captured.wrapOnce(work))
    }

    /// Captured when dispatched: runs `work` on this queue at or after `wallDeadline`, as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - wallDeadline: The time, on the wall clock.
    ///   - qos: The quality of service of the work.
    ///   - flags: How the work runs, as `.barrier`.
    ///   - work: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Complexity: O(1); no allocation more than plain `asyncAfter`.
    public func asyncAfter(
        wallDeadline: DispatchWallTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        if let handle, qos == .unspecified, flags.isEmpty {
            let captured = captureForOneShot(at: .asyncAfter, fileID, line)
            return handle.async(after: wallDeadline.rawValue, WorkBox(work, captured))
        }
        let captured = capture(at: .asyncAfter, fileID, line)
        if let batches {
            if wallDeadline <= .now() { return batches.async(nil, qos, flags, work, captured) }
            let work = batches.inTurn(work, captured)
            return base.asyncAfter(wallDeadline: wallDeadline, qos: qos, flags: flags, execute: work)
        }
        base.asyncAfter(wallDeadline: wallDeadline, qos: qos, flags: flags, execute: captured.wrapOnce(work))
    }

    /// Captured when the item was created: runs a work item on this queue at or after `deadline`.
    public func asyncAfter(deadline: DispatchTime, execute workItem: DispatchWorkItem) {
        guard let batches else { return base.asyncAfter(deadline: deadline, execute: workItem) }
        if deadline <= .now() { return batches.async(nil, workItem) }
        base.asyncAfter(deadline: deadline, execute: batches.inTurn(workItem))
    }

    /// Captured when the item was created: runs a work item on this queue at or after `wallDeadline`.
    public func asyncAfter(wallDeadline: DispatchWallTime, execute workItem: DispatchWorkItem) {
        guard let batches else { return base.asyncAfter(wallDeadline: wallDeadline, execute: workItem) }
        if wallDeadline <= .now() { return batches.async(nil, workItem) }
        base.asyncAfter(wallDeadline: wallDeadline, execute: batches.inTurn(workItem))
    }
}
