import CDispatchEntries
import CMultiIdentity
import Dispatch
import Foundation
import MultiIdentity
import Synchronization

// How an operation is added: by its work item, or by a stand-in.
//
// Foundation on Linux makes a work item of each operation as it is added, and a worker runs that. Where the making comes by this
// package's library, the item's work is put into a block that runs it as the adder. The queue holds the operation itself, and all
// that Foundation does with it is as in a plain queue. Elsewhere an ``OperationStandIn`` serves.

extension AddedOperation {
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
        guard itemsComeBy(in: queue) else { return OperationStandIn.adding(operations, to: queue, captured, by: add) }
        if let first = operations.first, isBeingAdded(first) { return add(operations) }
        let added = operations.map { carriesAlready($0) ? nil : AddedOperation($0, captured, cancelled) }
        withExtendedLifetime((operations, added)) {
            zip(operations, added).map(owner).withUnsafeBufferPointer {
                _ = making(itemsFor: $0, in: queue) { add(operations) }
            }
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
        guard itemsComeBy(in: queue) else { return OperationStandIn.adding(operation, to: queue, captured, by: add) }
        if isBeingAdded(operation) { return add(operation) }
        let added = carriesAlready(operation) ? nil : AddedOperation(operation, captured, cancelled)
        withExtendedLifetime((operation, added)) {
            withUnsafePointer(to: owner(operation, added)) {
                _ = making(itemsFor: UnsafeBufferPointer(start: $0, count: 1), in: queue) { add(operation) }
            }
        }
        askAgain(operation)
    }

    /// Has the queue ask an operation that waited for others once more.
    ///
    /// Foundation asks it while it is being added. Where the last of those finishes just then, it keeps the answer of before,
    /// and it is not asked again until something else in the queue has finished.
    static func askAgain(_ operation: Operation) {
        if (operation as? CarryingBlockOperation)?.hasDepended.load(ordering: .acquiring) == false { return }
        if !operation.dependencies.isEmpty, operation.isReady { operation.announce("isReady") }
    }

    static func carriesAlready(_ operation: Operation) -> Bool {
        operation is CarryingBlockOperation || operation is OperationStandIn
    }

    // MARK: Items

    /// True if Foundation's work items are made by this package's library, and show of which operation they are.
    static var itemsComeBy: Bool { trial.hasSucceeded }

    /// The same for a queue's class: one that adds on another thread, or only what it chooses, gets stand-ins after the
    /// first miss.
    static func itemsComeBy(in queue: OperationQueue) -> Bool {
        guard itemsComeBy, hasMissed.load(ordering: .relaxed) else { return itemsComeBy }
        return !missed.withLock { $0.contains(ObjectIdentifier(type(of: queue))) }
    }

    /// Adds two operations, since an address says nothing: with the Swift runtime in archives the archive's own definition is used.
    ///
    /// Foundation has a closure for those whose quality of service was chosen, and one for the others. They stay in a queue that is
    /// suspended, so that nothing runs.
    private static let trial: (hasSucceeded: Bool, queue: OperationQueue?) = {
        #if os(Linux)
        if mi_trials_fail() { return (false, nil) }
        mi_item_run_set(runOwned)
        let (queue, operations) = (OperationQueue(), [Operation(), Operation()])
        queue.isSuspended = true
        operations[1].qualityOfService = .utility
        let found = operations.map { owner($0, nil) }.withUnsafeBufferPointer {
            making(itemsFor: $0) { queue.addOperations(operations, waitUntilFinished: false) }
        }
        return (found == operations.count, queue)
        #else
        return (false, nil)
        #endif
    }()

    /// The classes of queues to which an operation was added whose item was not seen, and whether there are any.
    private static let missed = Locked<Set<ObjectIdentifier>>([])
    private static let hasMissed = Atomic(false)

    /// True in a view of a queue that carries by itself.
    private static func isBeingAdded(_ operation: Operation) -> Bool {
        mi_item_is_added(Unmanaged.passUnretained(operation).toOpaque())
    }

    private static func owner(_ operation: Operation, _ added: AddedOperation?) -> mi_item_owner {
        mi_item_owner(
            operation: UnsafeRawPointer(Unmanaged.passUnretained(operation).toOpaque()),
            owner: added.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
        )
    }

    /// Has the items that `body` makes of these operations, on this thread, run as their owners.
    ///
    /// `queue`: The queue that they are added to; `nil` for the trial.
    ///
    /// - Returns: The number of items that were found.
    private static func making(
        itemsFor owners: UnsafeBufferPointer<mi_item_owner>,
        in queue: OperationQueue? = nil,
        _ body: () -> Void
    ) -> Int {
        let outer = mi_item_owners_begin(owners.baseAddress, UInt32(owners.count), queue == nil)
        body()
        let found = Int(mi_item_owners_end(outer).found)
        if let queue, found < owners.count(where: { $0.owner != nil }) { noteMissed(type(of: queue)) }
        return found
    }

    /// Uses stand-ins in queues of a class from now on, since an operation may have been added that runs with nothing
    /// bound.
    private static func noteMissed(_ queues: OperationQueue.Type) {
        hasMissed.store(true, ordering: .relaxed)
        guard missed.withLock({ $0.insert(ObjectIdentifier(queues)).inserted }) else { return }
        let line =
            "MultiIdentityFoundation: an operation was added to \(queues) unseen and carries nothing; stand-ins are used from now on.\n"
        FileHandle.standardError.write(Data(line.utf8))
    }

    /// Runs an item's work, whose owner is an `AddedOperation`: the item has a reference to it.
    private static let runOwned: mi_item_run = { added, work in
        Unmanaged<AddedOperation>.fromOpaque(added)._withUnsafeGuaranteedRef { $0.run { mi_item_work_run(work) } }
    }
}
