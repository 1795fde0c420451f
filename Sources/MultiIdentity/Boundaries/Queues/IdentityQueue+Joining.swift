public import Dispatch

extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue as the identity bound at the call, and adds that identity to `fanIn`.
    ///
    /// - Parameters:
    ///   - group: A group that the work counts for until it has run.
    ///   - fanIn: The fan-in that it contributes to.
    ///   - qos: The quality of service of the work.
    ///   - flags: The flags of the work, such as `.barrier`.
    ///   - work: The work; it is released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    public func async(
        group: DispatchGroup? = nil,
        joining fanIn: IdentityFanIn,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        fanIn.begin()
        let contribution: @Sendable () -> Void = {
            work()
            fanIn.end()
        }
        async(group: group, qos: qos, flags: flags, execute: contribution, fileID: fileID, line: line)
    }
}

extension IdentityNotifier {
    /// Captured when registered: runs `work` once the group is empty or the item has run, with an identity that `rule` chooses
    /// from the contributors.
    ///
    /// - Parameters:
    ///   - queue: The queue that runs the work.
    ///   - fanIn: The fan-in of the work before it.
    ///   - rule: The rule that chooses the identity of `work`.
    ///   - work: The work; it gets the contributors.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    public func notify(
        queue: DispatchQueue,
        joining fanIn: IdentityFanIn,
        as rule: IdentityFanIn.Rule,
        execute work: @escaping @Sendable (IdentityFanIn.Joined) -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        let work = fanIn.wrap(as: rule, work, fileID: fileID, line: line)
        notify(queue: queue, execute: work, fileID: fileID, line: line)
    }
}
