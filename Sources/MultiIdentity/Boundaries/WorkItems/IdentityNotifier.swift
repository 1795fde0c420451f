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

    // `nonisolated(unsafe)`: both are thread-safe objects of libdispatch; on Linux `DispatchWorkItem` lacks the word for it.
    private nonisolated(unsafe) let base: Base

    init(group: DispatchGroup) { base = .group(group) }

    init(item: DispatchWorkItem) { base = .item(item) }

    /// Captured when registered: runs `work` as the identity bound at the call, once the group is empty or the item has
    /// run.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the work.
    ///   - flags: How the work runs.
    ///   - queue: The queue that runs it.
    ///   - work: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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

    /// Captured when registered: runs `work` as the identity bound at the call, once the group is empty or the item has
    /// run.
    ///
    /// This is the shape that most calls have, apart from the general one above because it costs less.
    ///
    /// - Parameters:
    ///   - queue: The queue that runs it.
    ///   - work: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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
        // The caller keeps this view, and it the group, until libdispatch has it.
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

    /// Captured when registered: as ``notify(qos:flags:queue:execute:fileID:line:)-(_,_,DispatchQueue,_,_,_)``, on an identity queue.
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

    /// Captured when the item was created: the same, by the name that it has for groups.
    public func notify(queue: DispatchQueue, work: DispatchWorkItem) { notify(queue: queue, execute: work) }

    /// Captured when the item was created: the same, on an identity queue.
    @_disfavoredOverload
    public func notify(queue: IdentityQueue, execute workItem: DispatchWorkItem) {
        guard let batches = queue.batches else { return notify(queue: queue.base, execute: workItem) }
        register(.unspecified, [], queue.base, batches.inTurn(workItem))
    }

    /// Captured when the item was created: the same, on an identity queue, by the name that it has for groups.
    @_disfavoredOverload
    public func notify(queue: IdentityQueue, work: DispatchWorkItem) { notify(queue: queue, execute: work) }
}

extension DispatchGroup {
    /// A view of this group with notifications that carry identity: each is captured when registered.
    public var propagatingIdentity: IdentityNotifier { IdentityNotifier(group: self) }
}
