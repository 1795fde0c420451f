import CDispatchEntries
import CMultiIdentity
import Dispatch
import Foundation
import MultiIdentity

/// An operation in a queue, and the identity that added it: what the operation's work item refers to.
///
/// Foundation on Linux makes a work item of each operation as it is added, and a worker runs that. Where the making comes
/// by this package's library, the item's work is put into a block that runs it as the adder. The queue holds the operation
/// itself, and all that Foundation does with it is as in a plain queue. Elsewhere an ``OperationStandIn`` serves.
final class AddedOperation: Sendable {
    private let operation: Operation
    private let captured: BoundaryCapture
    /// Those that the queue cancelled with all others, if it notes them.
    private let cancelled: CancelledOperations?

    private init(_ operation: Operation, _ captured: BoundaryCapture, _ cancelled: CancelledOperations?) {
        (self.operation, self.captured, self.cancelled) = (operation, captured, cancelled)
    }

    /// Runs the item's work, which starts the operation.
    private func run(_ start: () -> Void) {
        let canceller = operation.isCancelled ? cancelled?.take(operation) : nil
        captured.restore {
            if let block = operation.completionBlock {
                let end = OperationEnd()
                if let canceller { end.noteCancelled(by: canceller) }
                end.carry(block, of: operation)
            }
            start()
        }
    }

    // MARK: Adding

    /// Adds `operations` by `add`, each to run as `captured`, but for those that carry already: the first capture wins.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - queue: The queue that `add` adds to.
    ///   - captured: What they run as.
    ///   - cancelled: Those that the queue cancelled, if it notes them.
    ///   - add: Adds what it is given to a queue of Foundation's.
    static func adding(
        _ operations: [Operation],
        to queue: OperationQueue,
        _ captured: BoundaryCapture,
        _ cancelled: CancelledOperations? = nil,
        by add: ([Operation]) -> Void
    ) {
        guard itemsComeBy else { return OperationStandIn.adding(operations, to: queue, captured, by: add) }
        let added = operations.map { carriesAlready($0) ? nil : AddedOperation($0, captured, cancelled) }
        withExtendedLifetime(added) {
            added.map { $0.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }
                .withUnsafeBufferPointer { _ = making(itemsFor: $0) { add(operations) } }
        }
        for operation in operations { askAgain(operation) }
    }

    /// The same for one.
    static func adding(
        _ operation: Operation,
        to queue: OperationQueue,
        _ captured: BoundaryCapture,
        _ cancelled: CancelledOperations? = nil,
        by add: (Operation) -> Void
    ) {
        guard itemsComeBy else { return OperationStandIn.adding(operation, to: queue, captured, by: add) }
        if carriesAlready(operation) { return add(operation) }
        let added = AddedOperation(operation, captured, cancelled)
        withExtendedLifetime(added) {
            withUnsafePointer(to: UnsafeRawPointer(Unmanaged.passUnretained(added).toOpaque()) as UnsafeRawPointer?) {
                _ = making(itemsFor: UnsafeBufferPointer(start: $0, count: 1)) { add(operation) }
            }
        }
        askAgain(operation)
    }

    /// Has the queue ask an operation that waited for others once more.
    ///
    /// Foundation asks it while it is being added. Where the last of those finishes just then, it keeps the answer of before,
    /// and nobody asks again until something else in the queue has finished.
    private static func askAgain(_ operation: Operation) {
        if !operation.dependencies.isEmpty, operation.isReady { operation.announce("isReady") }
    }

    static func carriesAlready(_ operation: Operation) -> Bool {
        operation is CarryingBlockOperation || operation is OperationStandIn
    }

    // MARK: Items

    /// True if Foundation's work items are made by this package's library; found out by making one, as an address says
    /// nothing: in a program with the Swift runtime in archives the archive's own definition comes first.
    static let itemsComeBy: Bool = {
        #if os(Linux)
        if mi_trials_fail() { return false }
        mi_item_run_set(runOwned)
        let nobody: [UnsafeRawPointer?] = [nil]
        let made = nobody.withUnsafeBufferPointer { making(itemsFor: $0) { _ = DispatchWorkItem {} } }
        return made == 1
        #else
        return false
        #endif
    }()

    /// Has the items that `body` makes on this thread run as their owners.
    ///
    /// What else makes an item meanwhile, as a readiness of somebody's own that adds another operation, is on this thread
    /// and in this call: it runs as the identity bound at the call, whichever owner it takes.
    ///
    /// - Returns: The number of items that were made.
    private static func making(itemsFor owners: UnsafeBufferPointer<UnsafeRawPointer?>, _ body: () -> Void) -> UInt32 {
        let outer = mi_item_owners_begin(owners.baseAddress, UInt32(owners.count))
        body()
        return mi_item_owners_end(outer).made
    }

    /// Runs an item's work, whose owner is an `AddedOperation`: the item has a reference to it.
    private static let runOwned: mi_item_run = { added, work in
        Unmanaged<AddedOperation>.fromOpaque(added)._withUnsafeGuaranteedRef { $0.run { mi_item_work_run(work) } }
    }
}
