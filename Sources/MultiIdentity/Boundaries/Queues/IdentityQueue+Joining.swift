public import Dispatch

extension IdentityQueue {
    /// Captured when dispatched: runs `work` on this queue as the identity bound at the call, which contributes to
    /// `fanIn`.
    ///
    /// - Parameters:
    ///   - group: A group that the work counts for until it has run.
    ///   - fanIn: What it contributes to.
    ///   - qos: The quality of service of the work.
    ///   - flags: How the work runs, as `.barrier`.
    ///   - work: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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
    /// Captured when registered: runs `work` by a rule on those who contributed, once the group is empty or the item has
    /// run.
    ///
    /// - Parameters:
    ///   - queue: The queue that runs it.
    ///   - fanIn: What the work before it contributed to.
    ///   - rule: Whom `work` runs as.
    ///   - work: The work; it is passed the contributors.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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
