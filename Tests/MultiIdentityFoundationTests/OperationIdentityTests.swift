import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("An operation in a queue that carries identity") struct OperationIdentityTests {
    private static let callers: [Identity?] = [ada, .nobody, nil]

    @Test(
        "runs as the identity that added it, as does its completion block",
        .rule("4.1", "4.6"),
        .guide("dispatched work takes the identity of the thread along"),
        arguments: QueueKind.carrying.flatMap { queue in OperationKind.allCases.map { (queue, $0) } },
        callers
    )
    func runsAsItsAdder(_ kinds: (QueueKind, OperationKind), _ caller: Identity?) async {
        let queue = kinds.0.make()
        let seen = Locked<[Identity?]>([])
        await withCheckedContinuation { continuation in
            let operation = kinds.1.make { seen.withLock { $0.append(.current) } }
            operation.completionBlock = {
                seen.withLock { $0.append(.current) }
                continuation.resume()
            }
            withIdentity(caller) { queue.add(operation) }
        }
        #expect(seen.withLock { $0 } == [caller, caller])
    }

    @Test(
        "runs as its own adder, not as that of the operation it waited for",
        .rule("4.5"),
        arguments: OperationKind.allCases
    )
    func keepsItsAdderAcrossADependency(_ kind: OperationKind) async {
        let pairs: [(QueueKind, QueueKind)] = [
            (.identity, .identity), (.view, .identity), (.identity, .view), (.standIns, .standIns), (.view, .standIns),
        ]
        for (first, second) in pairs {
            let queues = (first.make(), second.make())
            let found = await withCheckedContinuation { continuation in
                let earlier = kind.make {}
                let later = kind.make { continuation.resume(returning: Identity.current) }
                later.addDependency(earlier)
                withIdentity(grace) { queues.1.add(later) }
                withIdentity(ada) { queues.0.add(earlier) }
            }
            #expect(found == grace)
        }
    }

    @Test("runs as its creator if made that way, in any queue and whichever identity adds it", arguments: callers)
    func runsAsItsCreator(_ creator: Identity?) async {
        for queue in [OperationQueue(), IdentityOperationQueue()] {
            let seen = Locked<[Identity?]>([])
            await withCheckedContinuation { continuation in
                let earlier = withIdentity(grace) { BlockOperation.propagatingIdentity {} }
                let later = withIdentity(creator) {
                    BlockOperation.propagatingIdentity { seen.withLock { $0.append(.current) } }
                }
                later.addExecutionBlock { seen.withLock { $0.append(.current) } }
                later.completionBlock = {
                    seen.withLock { $0.append(.current) }
                    continuation.resume()
                }
                later.addDependency(earlier)
                withIdentity(grace) { queue.addOperations([later, earlier], waitUntilFinished: false) }
            }
            #expect(seen.withLock { $0 } == [creator, creator, creator])
        }
    }

    @Test("needs no stand-in if made to carry", arguments: QueueKind.carrying)
    func isInTheQueueItself(_ kind: QueueKind) {
        let queue = kind.make()
        queue.queue.isSuspended = true
        let operation = BlockOperation.propagatingIdentity {}
        queue.add(operation)
        #expect(queue.queue.operations.map(ObjectIdentifier.init) == [ObjectIdentifier(operation)])
        queue.queue.isSuspended = false
    }

    @Test(
        "runs as its adder, and does not affect work that its adder makes, or its readiness while it is added",
        .rule("4.5"),
        arguments: QueueKind.carrying,
        [false, true]
    )
    func leavesItemsAlone(_ kind: QueueKind, _ isAtOnce: Bool) async {
        let (queue, plain, group) = (kind.make(), OperationQueue(), DispatchGroup())
        let (seen, others) = (Locked<[Identity?]>([]), Locked<[Identity?]>([]))
        let note: @Sendable () -> Void = { seen.withLock { $0.append(.current) } }
        let asked: @Sendable () -> Void = {
            let other: @Sendable () -> Void = { others.withLock { $0.append(.current) } }
            DispatchQueue.global().async(group: group, qos: .utility, execute: other)
            DispatchQueue.global().async(group: group, execute: DispatchWorkItem(block: other))
            group.enter()
            plain.addOperation(
                SynchronousOperation {
                    other()
                    group.leave()
                }
            )
        }
        let own = withIdentity(grace) { BlockOperation.propagatingIdentity {} }
        let last = SynchronousOperation(note)
        last.qualityOfService = .utility
        let operations = [AddingOperation(asked, note), own, AddingOperation(asked, note), last]
        withIdentity(ada) {
            if isAtOnce { queue.add(all: operations) } else { operations.forEach(queue.add) }
            asked()
        }
        await queue.finished()
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        #expect(seen.withLock { $0 } == [ada, ada, ada])
        #expect(others.withLock { $0 } == Array(repeating: nil, count: 9))
    }

    @Test(
        "that finishes on cancellation, before it is started, runs its completion block as its adder",
        .rule("4.5"),
        arguments: QueueKind.carrying
    )
    func finishesEarly(_ kind: QueueKind) async {
        final class Impatient: AsynchronousOperation, @unchecked Sendable {
            override func cancel() {
                super.cancel()
                finish()
            }
        }
        let (queue, operation) = (kind.make(), Impatient {})
        queue.queue.isSuspended = true
        let found = await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume(returning: Identity.current) }
            withIdentity(ada) { queue.add(operation) }
            withIdentity(grace) { operation.cancel() }
            queue.queue.isSuspended = false
        }
        #expect(found == ada)
    }

    @Test(
        "runs a barrier as the identity that added it, whether the queue is busy or not",
        .rule("4.5"),
        arguments: QueueKind.carrying,
        [0, 3]
    )
    func runsBarriers(_ kind: QueueKind, _ before: Int) async {
        let queue = kind.make()
        queue.queue.isSuspended = before > 0
        withIdentity(ada) { for _ in 0..<before { queue.add {} } }
        let found = await withCheckedContinuation { continuation in
            withIdentity(grace) { queue.addBarrier { continuation.resume(returning: Identity.current) } }
            queue.queue.isSuspended = false
        }
        #expect(found == grace)
    }

    @Test(
        "runs a completion block that was set after it was added, but before it started, as its adder",
        .rule("4.5"),
        arguments: QueueKind.carrying
    )
    func completionSetLate(_ queueKind: QueueKind) async {
        for kind in OperationKind.allCases {
            let queue = queueKind.make()
            queue.queue.isSuspended = true
            let operation = kind.make {}
            withIdentity(ada) { queue.add(operation) }
            let found = await withCheckedContinuation { continuation in
                withIdentity(grace) {
                    operation.completionBlock = { continuation.resume(returning: Identity.current) }
                }
                queue.queue.isSuspended = false
            }
            #expect(found == ada)
        }
    }

    @Test("made from a closure, runs a completion block that was set while it waited as its adder")
    func completionOfAClosure() async {
        let queue = QueueKind.identity.make()
        queue.queue.isSuspended = true
        withIdentity(ada) { queue.add {} }
        let found = await withCheckedContinuation { continuation in
            let operation = queue.queue.operations.first
            withIdentity(grace) {
                operation?.completionBlock = { continuation.resume(returning: Identity.current) }
            }
            queue.queue.isSuspended = false
        }
        #expect(found == ada)
    }

    @Test(
        "runs a completion block set during its run as its adder, if it is asynchronous",
        arguments: QueueKind.carrying
    )
    func completionSetWhileItRuns(_ kind: QueueKind) async {
        let (queue, serial, running) = (
            kind.make(), DispatchQueue(label: "serial"), AsyncStream.makeStream(of: Void.self)
        )
        queue.queue.underlyingQueue = serial
        let operation = AsynchronousOperation(finishesByItself: false) {}
        withIdentity(ada) { queue.add(operation) }
        // Its `start` has returned when the next one begins.
        queue.add(SynchronousOperation { running.continuation.yield() })
        for await _ in running.stream { break }
        let found = await withCheckedContinuation { continuation in
            operation.completionBlock = {
                continuation.resume(returning: (Identity.current, IdentityTrigger.current?.identity))
            }
            withIdentity(grace) { operation.finish() }
        }
        #expect([found.0, found.1] == [ada, grace])
        withExtendedLifetime(serial) {}
    }

    @Test("that turns out not to be ready at its start runs later as its adder", arguments: QueueKind.carrying)
    func readyNoMore(_ kind: QueueKind) async {
        let queue = kind.make()
        let found = await withCheckedContinuation { continuation in
            let operation = FickleOperation { continuation.resume(returning: Identity.current) }
            withIdentity(ada) { queue.add(operation) }
        }
        #expect(found == ada)
    }

    @Test("started by hand inside another scope, leaves that scope unchanged")
    func reinstatesTheStarter() throws {
        let found = Locked<Identity??>(nil)
        let queue = IdentityOperationQueue()
        queue.isSuspended = true
        withIdentity(ada) { queue.addOperation { found.withLock { $0 = .some(.current) } } }
        let operation = try #require(queue.propagatingIdentity.operationsForTests.first)
        withIdentity(grace) {
            operation.main()
            #expect(Identity.current == grace)
        }
        #expect(found.withLock { $0 } == .some(ada))
        queue.cancelAllOperations()
        queue.isSuspended = false
    }

    @Test("runs on main as the identity that added it, through the view of the main queue")
    func mainQueue() async {
        let found = await withCheckedContinuation { continuation in
            withIdentity(ada) {
                OperationQueue.main.propagatingIdentity.addOperation {
                    continuation.resume(returning: (Identity.current, MainProbe.system()))
                }
            }
        }
        #expect(found.0 == ada && found.1)
        let again = await withCheckedContinuation { continuation in
            let operation = SynchronousOperation { continuation.resume(returning: Identity.current) }
            withIdentity(grace) { OperationQueue.main.propagatingIdentity.addOperation(operation) }
        }
        #expect(again == grace)
    }

    @Test("added to a queue whose class drops it leaves queues of other classes unchanged")
    func leavesOthersAlone() {
        let (getsStandIns, queue, operation) = (QueueKind.view.getsStandIns, OperationQueue(), SynchronousOperation {})
        // The second time through a stand-in, which is released with what was dropped: the operation can be added elsewhere.
        let dropped = SynchronousOperation {}
        for _ in 0..<3 { DroppingQueue().propagatingIdentity.addOperation(dropped) }
        queue.isSuspended = true
        queue.propagatingIdentity.addOperation(operation)
        #expect((queue.operations.first === operation) == !getsStandIns)
        queue.isSuspended = false
    }

    @Test("added through a view of a queue that already carries, is captured once", .rule("4.8"))
    func isCapturedOnce() async {
        let queue = IdentityOperationQueue()
        queue.isSuspended = true
        let found = await withCheckedContinuation { continuation in
            let operation = SynchronousOperation { continuation.resume(returning: Identity.current) }
            withIdentity(ada) { queue.propagatingIdentity.addOperation(operation) }
            let isItself = queue.propagatingIdentity.operationsForTests.first === operation
            #expect(isItself == !QueueKind.view.getsStandIns)
            queue.isSuspended = false
        }
        #expect(found == ada)
    }
}

extension PropagatingOperationQueue {
    /// Foundation documents `operations` as racy; these tests read it while the queue is suspended.
    var operationsForTests: [Operation] { base.operations }
}
