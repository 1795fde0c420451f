public import Dispatch

/// A view of a group or a work item with notifications that run as the identity that registered them.
///
/// ```swift
/// group.propagatingIdentity.notify(queue: queue) { reply(to: request) }  // as the identity bound at this call
/// ```
public struct IdentityNotifier: Sendable {
    private enum Base {
        case group(DispatchGroup)
        case item(DispatchWorkItem)

        var groupHandle: GroupHandle? {
            if case .group(let group) = self { GroupHandle(of: group) } else { nil }
        }
    }

    // `nonisolated(unsafe)`: both are thread-safe objects of libdispatch; on Linux `DispatchWorkItem` is not marked `Sendable`.
    private nonisolated(unsafe) let base: Base

    init(group: DispatchGroup) { base = .group(group) }

    init(item: DispatchWorkItem) { base = .item(item) }

    /// Captured when registered: runs `work` as the identity bound at the call, once the group is empty or the item has run.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the work.
    ///   - flags: The flags of the work.
    ///   - queue: The queue that runs the work.
    ///   - work: The work; it is released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Complexity: O(1); for an item, one allocation more than plain `notify`.
    @preconcurrency
    public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        if qos == .unspecified, flags.isEmpty {
            return notify(queue: queue, execute: work, fileID: fileID, line: line)
        }
        register(qos, flags, queue, BoundaryCapture(at: .notify, onto: queue, fileID, line).wrapOnce(work))
    }

    /// Captured when registered: runs `work` as the identity bound at the call, once the group is empty or the item has run.
    ///
    /// The common form; it costs less than the form with options.
    ///
    /// - Parameters:
    ///   - queue: The queue that runs the work.
    ///   - work: The work; it is released together with the identity as soon as it has run.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Complexity: O(1); for an item, one allocation more than plain `notify`.
    @preconcurrency
    public func notify(
        queue: DispatchQueue,
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        guard let group = base.groupHandle, let handle = QueueHandle(of: queue) else {
            let captured = BoundaryCapture(at: .notify, onto: queue, fileID, line)
            return register(.unspecified, [], queue, captured.wrapOnce(work))
        }
        // The caller retains this view, and the view the group, until libdispatch has it.
        handle.notify(of: group, WorkBox(work, BoundaryCapture(at: .notify, onto: queue, runsOnce: true, fileID, line)))
    }

    private func register(
        _ qos: DispatchQoS,
        _ flags: DispatchWorkItemFlags,
        _ queue: DispatchQueue,
        _ work: @escaping @Sendable () -> Void
    ) {
        switch base {
        case .group(let group): group.notify(qos: qos, flags: flags, queue: queue, execute: work)
        case .item(let item): item.notify(qos: qos, flags: flags, queue: queue, execute: work)
        }
    }

    /// Captured when registered: runs `work` as ``notify(qos:flags:queue:execute:fileID:line:)-(_,_,DispatchQueue,_,_,_)``
    /// does, on an identity queue.
    @preconcurrency
    @_disfavoredOverload  // so that `.global()` and the like still mean a plain queue
    public func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: IdentityQueue,
        execute work: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) {
        if let turns = queue.turns {
            let captured = BoundaryCapture(at: .notify, onto: queue.base, fileID, line)
            let how = HandOver(qos: qos, flags: flags)
            // It takes its place in line when it is due.
            return register(.unspecified, [], .global()) { turns.hand(work, how, captured) }
        }
        guard let batches = queue.batches else {
            return notify(qos: qos, flags: flags, queue: queue.base, execute: work, fileID: fileID, line: line)
        }
        let captured = BoundaryCapture(at: .notify, onto: queue.base, fileID, line)
        register(qos, flags, queue.base, batches.inTurn(work, captured))
    }

    /// Captured when the item was created: runs a work item once the group is empty, or the item before it has run.
    public func notify(queue: DispatchQueue, execute workItem: DispatchWorkItem) {
        switch base {
        case .group(let group): group.notify(queue: queue, work: workItem)
        case .item(let item): item.notify(queue: queue, execute: workItem)
        }
    }

    /// Captured when the item was created: runs a work item like `notify(queue:execute:)`, under the name that groups use.
    public func notify(queue: DispatchQueue, work: DispatchWorkItem) { notify(queue: queue, execute: work) }

    /// Captured when the item was created: runs a work item like `notify(queue:execute:)`, on an identity queue.
    @_disfavoredOverload
    public func notify(queue: IdentityQueue, execute workItem: DispatchWorkItem) {
        if let turns = queue.turns { return register(.unspecified, [], .global(), turns.handing(workItem)) }
        guard let batches = queue.batches else { return notify(queue: queue.base, execute: workItem) }
        register(.unspecified, [], queue.base, batches.inTurn(workItem))
    }

    /// Captured when the item was created: runs a work item like `notify(queue:execute:)`, on an identity queue, under the name
    /// that groups use.
    @_disfavoredOverload
    public func notify(queue: IdentityQueue, work: DispatchWorkItem) { notify(queue: queue, execute: work) }
}

extension DispatchGroup {
    /// A view of this group with notifications that carry identity: each is captured when registered.
    public var propagatingIdentity: IdentityNotifier { IdentityNotifier(group: self) }
}
