public import Foundation
import MultiIdentity

extension BlockOperation {
    /// Block operations that carry identity: each is captured when created.
    public static var propagatingIdentity: IdentityBlockOperations { IdentityBlockOperations() }
}

/// Block operations that run as the identity that created them, in any queue, no matter who adds them or makes them ready.
///
/// ```swift
/// let indexing = BlockOperation.propagatingIdentity { index(document) }  // as the identity bound here
/// indexing.addDependency(download)
/// operations.addOperation(indexing)
/// ```
///
/// Such an operation needs no stand-in in an ``IdentityOperationQueue``, so it costs about as much as a plain one. It
/// also carries its identity in a plain `OperationQueue`.
public struct IdentityBlockOperations: Sendable {
    init() {}

    /// Captured when created: returns an operation that runs `block` as the identity bound here, no matter who adds it.
    ///
    /// Its execution blocks and its completion block run as the operation.
    ///
    /// - Parameters:
    ///   - block: The work; the operation releases it, with the identity.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The operation; add it to a queue.
    public func callAsFunction(
        block: @escaping @Sendable () -> Void,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> BlockOperation {
        CarryingBlockOperation(block, BoundaryCapture(at: .operation, fileID, line))
    }
}
