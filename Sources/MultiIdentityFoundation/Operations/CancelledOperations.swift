import Foundation
import MultiIdentity

/// The operations that a queue cancelled with all others and that have not begun since, with the identity that cancelled them.
final class CancelledOperations: Sendable {
    private struct Entry: Sendable {
        /// Kept, so that no other operation can have its address.
        let operation: Operation
        let canceller: IdentitySnapshot
    }

    private let entries = Locked<[ObjectIdentifier: Entry]>([:])

    /// Records what is about to be cancelled here; who cancelled an operation before that stays unknown.
    func note(_ operations: [Operation]) {
        let here = IdentitySnapshot.ofTrigger
        for operation in operations where !operation.isCancelled && !operation.isExecuting && !operation.isFinished {
            entries.withLock { $0[ObjectIdentifier(operation)] = Entry(operation: operation, canceller: here) }
            // One that begins at this moment takes nothing; it is forgotten when it finishes.
            OperationWatch { [self, id = ObjectIdentifier(operation)] in remove(id) }.begin(on: operation)
        }
    }

    /// Returns the identity that cancelled an operation which begins now, and forgets the operation.
    func take(_ operation: Operation) -> IdentitySnapshot? { remove(ObjectIdentifier(operation))?.canceller }

    @discardableResult
    private func remove(_ operation: ObjectIdentifier) -> Entry? {
        entries.withLock { $0.removeValue(forKey: operation) }
    }
}
