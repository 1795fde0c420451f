public import Dispatch

extension DispatchWorkItem {
    /// Captured when created: a work item that runs as the identity bound here, however it is run.
    ///
    /// Every `perform`, dispatch, and use as a notification's work runs `block` as that identity, on whatever queue and
    /// under whatever scope. The item is a `DispatchWorkItem` like any other: it can be cancelled, waited for and
    /// notified of. It keeps the identity until it is released.
    ///
    /// - Parameters:
    ///   - qos: The quality of service of the item.
    ///   - flags: How the item runs, as `.barrier`.
    ///   - block: The work.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
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
