public import Dispatch

extension DispatchWorkItem {
    /// Captured when created: makes a work item that runs as the identity bound here, however it is run.
    ///
    /// Every `perform`, dispatch and notification runs `block` as that identity, on any queue and in any scope. The item is a
    /// `DispatchWorkItem` like any other: it supports `cancel`, `wait` and `notify`. It keeps the identity until it is released.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the item.
    ///   - flags: The flags of the item, such as `.barrier`.
    ///   - block: The work.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The item.
    /// - Complexity: O(1); as many allocations as a plain item's.
    @preconcurrency
    public static func propagatingIdentity(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        block: consuming @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> DispatchWorkItem {
        let captured = BoundaryCapture(at: .workItem, fileID, line)
        return DispatchWorkItem(qos: qos, flags: flags, block: WorkBlock.make(consume block, captured))
    }

    /// A view of this item with notifications that carry identity: each is captured when registered.
    public var propagatingIdentity: IdentityNotifier { IdentityNotifier(item: self) }
}
