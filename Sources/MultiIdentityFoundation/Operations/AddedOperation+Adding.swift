import CDispatchEntries
import CMultiIdentity
import Dispatch
import Foundation
import MultiIdentity
import Synchronization

// How an operation is added: by its work item, or by a stand-in.
//
// Foundation on Linux makes a work item for each added operation, and a worker runs it. If this package's library intercepts
// that, it puts the item's work into a block that runs it as the adder. The queue then contains the operation itself, as a plain
// queue does. Otherwise it gets an ``OperationStandIn``.

extension AddedOperation {
    // MARK: Adding

    /// Adds `operations` with `add`, each to run as `captured`, except those that already carry: the first capture wins.
    ///
    /// - Parameters:
    ///   - operations: The operations.
    ///   - queue: The queue that `add` adds to.
    ///   - captured: The capture that they run as.
    ///   - cancelled: The operations that the queue cancelled, if it records them.
    ///   - fair: The lines of a fair queue.
    ///   - add: Adds its argument to Foundation's queue.
    static func adding(
        _ operations: [Operation],
        to queue: OperationQueue,
        _ captured: BoundaryCapture,
        _ cancelled: CancelledOperations? = nil,
        in fair: FairOperations? = nil,
        by add: ([Operation]) -> Void
    ) {
        guard itemsComeBy(in: queue) else { return OperationStandIn.adding(operations, to: queue, captured, by: add) }
        if let first = operations.first, isBeingAdded(first) { return add(operations) }
        let added = operations.map { owner(of: $0, captured, cancelled, fair) }
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
        in fair: FairOperations? = nil,
        by add: (Operation) -> Void
    ) {
        guard itemsComeBy(in: queue) else { return OperationStandIn.adding(operation, to: queue, captured, by: add) }
        if isBeingAdded(operation) { return add(operation) }
        let added = owner(of: operation, captured, cancelled, fair)
        withExtendedLifetime((operation, added)) {
            withUnsafePointer(to: owner(operation, added)) {
                _ = making(itemsFor: UnsafeBufferPointer(start: $0, count: 1), in: queue) { add(operation) }
            }
        }
        askAgain(operation)
    }

    /// Makes the queue ask an operation with dependencies again whether it is ready.
    ///
    /// Foundation asks while it adds the operation. If the last dependency finishes at that moment, it keeps the old answer, and
    /// asks again only when something else in the queue has finished.
    static func askAgain(_ operation: Operation) {
        if (operation as? CarryingBlockOperation)?.hasDepended.load(ordering: .acquiring) == false { return }
        if !operation.dependencies.isEmpty, operation.isReady { operation.announce("isReady") }
    }

    /// Returns what an operation's item gets: nothing if it carries by itself, and waits in no line.
    private static func owner(
        of operation: Operation,
        _ captured: BoundaryCapture,
        _ cancelled: CancelledOperations?,
        _ fair: FairOperations?
    ) -> AddedOperation? {
        let carriesItself = carriesAlready(operation)
        if carriesItself, fair == nil { return nil }
        return AddedOperation(operation, captured, cancelled, in: fair, carriesItself: carriesItself)
    }

    static func carriesAlready(_ operation: Operation) -> Bool {
        operation is CarryingBlockOperation || operation is OperationStandIn
    }

    // MARK: Items

    /// True if this package's library makes Foundation's work items, and they show their operation.
    static var itemsComeBy: Bool { trial.hasSucceeded }

    /// The same for a queue's class: one that adds on another thread, or only what it chooses, gets stand-ins after the
    /// first miss.
    static func itemsComeBy(in queue: OperationQueue) -> Bool {
        guard itemsComeBy, hasMissed.load(ordering: .relaxed) else { return itemsComeBy }
        return !missed.withLock { $0.contains(ObjectIdentifier(type(of: queue))) }
    }

    /// Adds two operations, since an address proves nothing: with a statically linked Swift runtime, the archive's own definition
    /// is used.
    ///
    /// Foundation has one closure for operations with a chosen quality of service, and one for the others. They stay in a
    /// suspended queue, so that nothing runs.
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

    /// Makes the items that `body` creates for these operations, on this thread, run as their owners.
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
        if let queue, found < owners.count(where: { $0.owner != nil }) { noteMissed(queue) }
        return found
    }

    /// Uses stand-ins in queues of a class from now on, since an operation may have been added that runs with nothing bound.
    private static func noteMissed(_ queue: OperationQueue) {
        let queues = type(of: queue)
        hasMissed.store(true, ordering: .relaxed)
        guard missed.withLock({ $0.insert(ObjectIdentifier(queues)).inserted }) else { return }
        let line =
            "MultiIdentityFoundation: an operation added to \(queues) was not intercepted and carries no identity; later ones get stand-ins.\n"
        FileHandle.standardError.write(Data(line.utf8))
        if (queue as? IdentityOperationQueue)?.fair != nil { IdentityQueue.Draining.notifyOfNoTurns() }
    }

    /// Runs an item's work, whose owner is an `AddedOperation`: the item has a reference to it.
    private static let runOwned: mi_item_run = { added, work in
        Unmanaged<AddedOperation>.fromOpaque(added)._withUnsafeGuaranteedRef { added in
            if let fair = added.fair { fair.move(added, work) } else { added.run { mi_item_work_run(work) } }
        }
    }
}
