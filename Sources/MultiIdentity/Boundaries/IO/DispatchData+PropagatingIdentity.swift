public import Dispatch

extension DispatchData.Deallocator {
    /// Captured when called: a deallocator that runs `block` as the identity bound here, wherever the data are released.
    ///
    /// ```swift
    /// let data = DispatchData(bytesNoCopy: page, deallocator: .propagatingIdentity(queue) { pages.takeBack(page) })
    /// ```
    ///
    /// It runs once, after the last data that shares the bytes is gone. On Linux, data of a buffer without a base address
    /// drops its deallocator unrun, as it does a plain one; data of no bytes at an address runs it at once.
    ///
    /// - Parameters:
    ///   - queue: The queue that runs the block, or `nil` for the system's choice.
    ///   - block: The work; it is released, with the identity, as soon as it has run.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: The deallocator.
    public static func propagatingIdentity(
        _ queue: DispatchQueue?,
        _ block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> DispatchData.Deallocator {
        .custom(queue, BoundaryCapture(at: .dataDeallocator, of: queue?.label, fileID, line).wrap(block))
    }
}
