import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Synchronization
import Testing

/// Each test describes a plain queue, and checks that all three kinds do the same.
@Suite("An operation queue, plain or carrying identity") struct OperationParityTests {
    @Test("runs one after the other, by priority", .rule("4.7"), arguments: QueueKind.allCases)
    func priorities(_ kind: QueueKind) async {
        let queue = kind.make()
        let journal = Notes<String>()
        queue.queue.maxConcurrentOperationCount = 1
        queue.queue.isSuspended = true
        for (name, priority) in [("low", -4), ("normal", 0), ("high", 4), ("veryHigh", 8)] {
            let operation = SynchronousOperation { journal.add(name) }
            operation.queuePriority = Operation.QueuePriority(rawValue: priority) ?? .normal
            queue.add(operation)
        }
        queue.queue.isSuspended = false
        await queue.finished()
        #expect(journal.all == ["veryHigh", "high", "normal", "low"])
    }

    @Test(
        "shows the added operations in `operations`, except with a stand-in",
        .rule("4.7"),
        arguments: QueueKind.allCases
    )
    func operations(_ kind: QueueKind) async {
        let queue = kind.make()
        queue.queue.isSuspended = true
        let operations = OperationKind.allCases.map { $0.make {} }
        queue.add(operations[0])
        queue.add(all: Array(operations.dropFirst()))
        let shown = queue.queue.operations
        #expect(shown.count == operations.count)
        #expect((shown == operations) == !kind.getsStandIns)
        queue.queue.isSuspended = false
        await queue.finished()
    }

    @Test(
        "follows a change of a waiting operation's priority at once, except with a stand-in",
        .rule("4.7"),
        arguments: QueueKind.allCases.filter { !$0.getsStandIns }
    )
    func priorityAtOnce(_ kind: QueueKind) async {
        let queue = kind.make()
        let journal = Notes<String>()
        queue.queue.maxConcurrentOperationCount = 1
        queue.queue.isSuspended = true
        let operations = ["first", "last"].map { name in SynchronousOperation { journal.add(name) } }
        queue.add(all: operations)
        operations[1].queuePriority = .high
        queue.queue.isSuspended = false
        await queue.finished()
        #expect(journal.all == ["last", "first"])
    }

    @Test(
        "starts operations after their dependencies",
        .rule("4.7"),
        arguments: QueueKind.allCases,
        OperationKind.allCases
    )
    func dependencies(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let queues = [kind.make(), kind.make()]
        let journal = Notes<String>()
        let operations = (0..<20).map { number in operationKind.make { journal.add("\(number)") } }
        for (earlier, later) in zip(operations, operations.dropFirst()) { later.addDependency(earlier) }
        for (number, operation) in operations.enumerated().reversed() { queues[number % 2].add(operation) }
        for queue in queues { await queue.finished() }
        #expect(journal.all == (0..<20).map(String.init))
    }

    @Test("follows a dependency that an operation gets after it was added", .rule("4.7"), arguments: QueueKind.allCases)
    func lateDependency(_ kind: QueueKind) async {
        let queue = kind.make()
        let journal = Notes<String>()
        queue.queue.isSuspended = true
        let first = SynchronousOperation { journal.add("first") }
        let second = SynchronousOperation { journal.add("second") }
        queue.queue.maxConcurrentOperationCount = 1
        queue.add(second)
        queue.add(first)
        second.addDependency(first)
        queue.queue.isSuspended = false
        await queue.finished()
        while queue.queue.operationCount > 0 { await queue.finished() }
        #expect(journal.all == ["first", "second"])
    }

    @Test(
        "follows a dependency that is added to an element of `operations`",
        .rule("4.7"),
        arguments: QueueKind.allCases
    )
    func dependencyOfWhatIsShown(_ kind: QueueKind) async throws {
        let queue = kind.make()
        let journal = Notes<String>()
        queue.queue.isSuspended = true
        let (earlier, other) = (
            SynchronousOperation { journal.add("earlier") }, SynchronousOperation { journal.add("other") }
        )
        let operation = SynchronousOperation { journal.add("operation") }
        operation.addDependency(earlier)
        queue.add(operation)
        let shown = try #require(queue.queue.operations.first)
        shown.addDependency(other)
        #expect(operation.dependencies == [earlier, other])
        queue.queue.isSuspended = false
        await withCheckedContinuation { finished in
            earlier.completionBlock = { finished.resume() }
            queue.add(earlier)
        }
        queue.add(other)
        while queue.queue.operationCount > 0 { await queue.finished() }
        #expect(journal.all == ["earlier", "other", "operation"])
    }

    @Test("waits for an operation that decides by itself when it is ready", .rule("4.7"), arguments: QueueKind.allCases)
    func customReadiness(_ kind: QueueKind) async {
        let queue = kind.make()
        let journal = Notes<String>()
        let gated = GatedOperation { journal.add("gated") }
        queue.add(gated)
        await withCheckedContinuation { continuation in
            queue.add {
                journal.add("other")
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in
            gated.completionBlock = { continuation.resume() }
            gated.open()
        }
        #expect(journal.all == ["other", "gated"])
    }

    @Test(
        "gives a slot to an asynchronous operation until it says that it has finished",
        .rule("4.7"),
        arguments: QueueKind.allCases
    )
    func slots(_ kind: QueueKind) async {
        let queue = kind.make()
        let journal = Notes<String>()
        queue.queue.maxConcurrentOperationCount = 1
        let slow = Locked<AsynchronousOperation?>(nil)
        await withCheckedContinuation { continuation in
            let operation = AsynchronousOperation(finishesByItself: false) { continuation.resume() }
            slow.withLock { $0 = operation }
            queue.add(operation)
        }
        queue.add { journal.add("next") }
        #expect(queue.queue.operationCount == 2)
        let running = queue.queue.operations.first
        #expect(running?.isExecuting == true && running?.isFinished == false)
        #expect(journal.all.isEmpty)
        journal.add("slow ends")
        slow.withLock { $0 }?.finish()
        await queue.finished()
        #expect(journal.all == ["slow ends", "next"])
    }

    @Test("returns to a waiting adder only when the operation has finished", arguments: QueueKind.allCases)
    func waitsForWhatIsAdded(_ kind: QueueKind) async {
        let journal = Notes<String>()
        let (started, waited) = (DispatchGroup(), DispatchGroup())
        started.enter()
        waited.enter()
        let slow = AsynchronousOperation(finishesByItself: false) { started.leave() }
        // On a separate thread, since it blocks.
        Thread.detachNewThread {
            kind.make().add(waitingFor: [slow])
            journal.add("returned")
            waited.leave()
        }
        await withCheckedContinuation { continuation in
            started.notify(queue: .global()) {
                // Code that does not wait has some thousand turns to show it.
                for _ in 0..<1_000 { sched_yield() }
                journal.add("finishes")
                slow.finish()
                continuation.resume()
            }
        }
        await withCheckedContinuation { continuation in waited.notify(queue: .global()) { continuation.resume() } }
        #expect(journal.all == ["finishes", "returned"])
    }

    @Test("keeps a barrier after earlier and before later operations", .rule("4.7"), arguments: QueueKind.allCases)
    func barriers(_ kind: QueueKind) async {
        let queue = kind.make()
        let journal = Notes<String>()
        queue.queue.isSuspended = true
        for operationKind in OperationKind.allCases { queue.add(operationKind.make { journal.add("before") }) }
        queue.addBarrier { journal.add("barrier") }
        for operationKind in OperationKind.allCases { queue.add(operationKind.make { journal.add("after") }) }
        queue.queue.isSuspended = false
        await queue.finished()
        let count = OperationKind.allCases.count
        #expect(
            journal.all
                == Array(repeating: "before", count: count) + ["barrier"] + Array(repeating: "after", count: count)
        )
    }

    @Test(
        "keeps the name, the quality of service and the priority of an operation",
        .rule("4.7"),
        arguments: QueueKind.allCases
    )
    func properties(_ kind: QueueKind) {
        let queue = kind.make()
        queue.queue.isSuspended = true
        let operation = SynchronousOperation {}
        operation.name = "index"
        operation.qualityOfService = .utility
        operation.queuePriority = .high
        queue.add(operation)
        let queued = queue.queue.operations.first
        #expect(queued?.name == "index")
        #expect(queued?.qualityOfService == .utility)
        #expect(queued?.queuePriority == .high)
        queue.queue.cancelAllOperations()
        queue.queue.isSuspended = false
    }

    @Test("gives the chosen quality of service to a closure's operation", arguments: QueueKind.allCases)
    func chosenQuality(_ kind: QueueKind) async {
        let queue = kind.make()
        queue.queue.isSuspended = true
        queue.queue.qualityOfService = .utility
        queue.add {}
        #expect(queue.queue.operations.first?.qualityOfService == .utility)
        queue.queue.isSuspended = false
        await queue.finished()
    }

    @Test("shows the current queue to its work", .rule("4.7"), arguments: QueueKind.allCases, OperationKind.allCases)
    func currentQueue(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let queue = kind.make()
        let current = await withCheckedContinuation { continuation in
            queue.add(operationKind.make { continuation.resume(returning: OperationQueue.current) })
        }
        #expect(current === queue.queue)
    }

    @Test("does not set the completion block again if a subclass gives that a meaning", arguments: QueueKind.allCases)
    func overriddenCompletion(_ kind: QueueKind) async {
        final class Wrapping: BlockOperation, @unchecked Sendable {
            let count = Atomic(0)
            override var completionBlock: (@Sendable () -> Void)? {
                get { super.completionBlock }
                set {
                    count.add(1, ordering: .relaxed)
                    super.completionBlock = newValue
                }
            }
        }
        let operation = Wrapping {}
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            kind.make().add(operation)
        }
        #expect(operation.count.load(ordering: .relaxed) == 1)
    }

    @Test("also adds closures by methods a subclass overrides, and nothing of its own", arguments: QueueKind.carrying)
    func overriddenAdding(_ kind: QueueKind) async {
        final class Counting: IdentityOperationQueue, @unchecked Sendable {
            let count = Atomic(0)
            override func addOperation(_ operation: Operation) {
                count.add(1, ordering: .relaxed)
                super.addOperation(operation)
            }
        }
        let counting = Counting()
        let queue = TestQueue(kind, counting)
        queue.add {}
        queue.add(FickleOperation {})  // a new stand-in waits for it
        while counting.operationCount > 0 { await queue.finished() }
        #expect(counting.count.load(ordering: .relaxed) == 2)
    }
}
