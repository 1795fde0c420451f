public import Foundation
import MultiIdentity

extension BlockOperation {
    /// Block operations that carry identity: each is captured when created.
    public static var propagatingIdentity: IdentityBlockOperations { IdentityBlockOperations() }
}

/// Block operations that run as the identity that created them, in any queue, whichever identity adds them or makes them ready.
///
/// ```swift
/// let indexing = BlockOperation.propagatingIdentity { index(document) }  // as the identity bound here
/// indexing.addDependency(download)
/// operations.addOperation(indexing)
/// ```
///
/// One needs no stand-in in an ``IdentityOperationQueue``, and so costs about what a plain one does; and it carries in a
/// plain `OperationQueue` too.
public struct IdentityBlockOperations: Sendable {
    init() {}

    /// Captured when created: an operation that runs `block` as the identity bound here, whichever identity adds it.
    ///
    /// Its execution blocks and its completion block run as the operation itself.
    ///
    /// - Parameters:
    ///   - block: The work; it is released, with the identity, with the operation.
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: The operation, which is still to be added to a queue.
    public func callAsFunction(
        block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> BlockOperation {
        CarryingBlockOperation(block, BoundaryCapture(at: .operation, fileID, line))
    }
}
