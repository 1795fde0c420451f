import Foundation

// Foundation's own state of an operation or a queue, beneath what a class overrides. A class may wrap what its `completionBlock`
// is set to in its own block, which must not happen twice, or count what is added.

private final class OperationBeneath: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; there is nothing here.
    var block: (@Sendable () -> Void)? {
        get { super.completionBlock }
        set { super.completionBlock = newValue }
    }
}

private final class QueueBeneath: OperationQueue, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; there is nothing here.
    func add(_ operation: Operation) { super.addOperation(operation) }
}

extension Operation {
    /// The completion block that Foundation is to run.
    var storedCompletionBlock: (@Sendable () -> Void)? {
        get { seen(self, as: OperationBeneath.self).block }
        set { seen(self, as: OperationBeneath.self).block = newValue }
    }
}

extension OperationQueue {
    /// Adds an operation of ours, which the queue's class does not know.
    func addBeneath(_ operation: Operation) { seen(self, as: QueueBeneath.self).add(operation) }
}

/// Casts an object to a final class without properties, which it is not: the members only call the superclass's by
/// name, and that checks no object's class.
private func seen<Beneath: AnyObject>(_ object: AnyObject, as _: Beneath.Type) -> Beneath {
    Unmanaged<Beneath>.fromOpaque(Unmanaged.passUnretained(object).toOpaque()).takeUnretainedValue()
}
