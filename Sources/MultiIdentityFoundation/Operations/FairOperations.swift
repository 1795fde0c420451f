import CDispatchEntries
import Dispatch
import Foundation
import MultiIdentity

/// The ready operations of a fair operation queue, until each starts in its adder's turn.
///
/// Foundation decides when an operation is ready, and is told that any number may run. What it then hands to `arrivals`, an
/// operation's work item, moves to the line of the operation's adder in a fair queue, which has as many places as operations
/// may run at once. An operation that is asynchronous keeps its place until it has finished.
final class FairOperations: Sendable {
    private struct Ready: @unchecked Sendable {
        // `@unchecked Sendable`: the block is run by one thread, and its references are counted.
        let added: AddedOperation
        let work: UnsafeMutableRawPointer
    }

    /// One adder's ready operations: the first of the highest priority is next.
    private struct Line {
        private var pieces: [(priority: Int, ready: [Ready], next: Int)] = []

        mutating func add(_ ready: Ready, _ priority: Int) {
            let place = pieces.firstIndex { $0.priority <= priority } ?? pieces.endIndex
            if place == pieces.endIndex || pieces[place].priority != priority {
                pieces.insert((priority, [], 0), at: place)
            }
            pieces[place].ready.append(ready)
        }

        /// Takes the next; returns whether it is the last.
        mutating func take() -> (Ready, isLast: Bool)? {
            guard !pieces.isEmpty else { return nil }
            let ready = pieces[0].ready[pieces[0].next]
            pieces[0].next += 1
            let (next, count) = (pieces[0].next, pieces[0].ready.count)
            if next == count {
                pieces.removeFirst()
            } else if next >= 64, 2 * next > count {
                pieces[0].ready.removeFirst(next)
                pieces[0].next = 0
            }
            return (ready, pieces.isEmpty)
        }
    }

    private struct State {
        var lines: [Identity?: Line] = [:]
        var queue: IdentityQueue
        var arrivals: DispatchQueue
        var underlying: DispatchQueue?
        var most = OperationQueue.defaultMaxConcurrentOperationCount
        var isSuspended = false
    }

    private let draining: IdentityQueue.Draining
    private let state: Locked<State>

    /// Returns the lines of a queue with a mode of draining: `nil` if it is not fair, or cannot be, which is a finding.
    static func lines(
        _ draining: IdentityQueue.Draining,
        itemsComeBy: Bool = AddedOperation.itemsComeBy
    ) -> FairOperations? {
        guard draining.isFair else { return nil }
        if itemsComeBy { return FairOperations(draining) }
        IdentityQueue.Draining.notifyOfNoTurns()
        return nil
    }

    private init(_ draining: IdentityQueue.Draining) {
        self.draining = draining
        state = Locked(State(queue: Self.queue(draining, on: nil), arrivals: Self.arrivals(on: nil)))
    }

    // A suspended queue must not be released.
    deinit { isSuspended = false }

    private static func queue(_ draining: IdentityQueue.Draining, on target: DispatchQueue?) -> IdentityQueue {
        IdentityQueue(
            label: "multi-identity.fair-operations",
            attributes: .concurrent,
            target: target,
            draining: draining
        )
    }

    private static func arrivals(on target: DispatchQueue?) -> DispatchQueue {
        DispatchQueue(label: "multi-identity.arriving-operations", target: target)
    }

    /// The queue that Foundation hands what is ready to.
    var arrivals: DispatchQueue { state.withLock { $0.arrivals } }

    /// Moves an operation that is ready into its adder's line.
    func move(_ added: AddedOperation, _ work: UnsafeMutableRawPointer) {
        let ready = Ready(added: added, work: mi_item_work_retain(work))
        let identity = added.adder
        let queue = state.withLock { state in
            state.lines[identity, default: Line()].add(ready, added.operation.queuePriority.rawValue)
            return state.queue
        }
        queue.start({ [self] in startNext(of: identity, in: queue) }, inLineOf: identity)
    }

    /// Starts an adder's next operation; returns false if that goes on when it has been started.
    private func startNext(of identity: Identity?, in queue: IdentityQueue) -> Bool {
        let ready = state.withLock { state -> Ready? in
            guard let (ready, isLast) = state.lines[identity]?.take() else { return nil }
            if isLast { state.lines[identity] = nil }
            return ready
        }
        guard let ready else { return true }
        let operation = ready.added.operation
        ready.added.run { mi_item_work_run(ready.work) }
        mi_item_work_release(ready.work)
        if operation.isFinished { return true }
        OperationWatch { queue.startedHasEnded() }.begin(on: operation)
        return false
    }

    // MARK: The queue's properties

    /// The number of operations that may run at once.
    var most: Int {
        get { state.withLock { $0.most } }
        set {
            let queue = state.withLock { state in
                state.most = newValue
                return state.queue
            }
            queue.setPlaces(newValue < 0 ? nil : newValue)
        }
    }

    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set {
            // Under the lock, so that two changes do not overtake each other; no foreign code runs inside.
            state.withLock { state in
                if newValue == state.isSuspended { return }
                state.isSuspended = newValue
                if newValue { state.queue.suspend() } else { state.queue.resume() }
            }
        }
    }

    /// The queue that operations run on; it changes only while there are none.
    var underlying: DispatchQueue? {
        get { state.withLock { $0.underlying } }
        set {
            let most = state.withLock { state in
                if state.isSuspended { state.queue.resume() }
                state.underlying = newValue
                (state.queue, state.arrivals) = (Self.queue(draining, on: newValue), Self.arrivals(on: newValue))
                if state.isSuspended { state.queue.suspend() }
                return state.most
            }
            self.most = most
        }
    }
}
