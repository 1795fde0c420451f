import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

/// Each test states what a plain queue does, and holds the others to it.
@Suite("A cancelled operation, in a plain queue or one that carries identity") struct OperationCancellationTests {
    @Test(
        "finishes an operation that was cancelled before it started, without running it",
        .rule("4.7"),
        arguments: QueueKind.allCases,
        OperationKind.allCases
    )
    func cancelledBefore(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let queue = kind.make()
        let journal = Journal()
        queue.queue.isSuspended = true
        let operation = operationKind.make { journal.note("ran") }
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            queue.add(operation)
            operation.cancel()
            queue.queue.isSuspended = false
        }
        #expect(journal.all.isEmpty)
        #expect(operation.isFinished && operation.isCancelled)
    }

    @Test(
        "finishes a cancelled operation at once, though its dependency never will",
        .rule("4.7"),
        .timeLimit(.minutes(1)),
        arguments: QueueKind.allCases,
        OperationKind.allCases
    )
    func cancelledWhileWaiting(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let queue = kind.make()
        let never = Operation()
        let operation = operationKind.make {}
        operation.addDependency(never)
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            queue.add(operation)
            operation.cancel()
        }
        #expect(operation.isFinished)
        #expect(operation.dependencies == [never])
    }

    @Test(
        "finishes a cancelled operation that was added behind a barrier, without running it",
        arguments: QueueKind.allCases,
        OperationKind.allCases
    )
    func cancelledBehindABarrier(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let queue = kind.make()
        let journal = Journal()
        let slow = AsynchronousOperation(finishesByItself: false) {}
        queue.add(slow)
        queue.addBarrier { journal.note("barrier") }
        let operation = operationKind.make { journal.note("ran") }
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            queue.add(operation)
            operation.cancel()
            slow.finish()
        }
        #expect(operation.isFinished)
        await queue.finished()
        #expect(journal.all == ["barrier"])
    }

    @Test(
        "finishes a cancelled operation that waits for another one, behind a barrier too, and all that it waited for",
        .rule("4.7"),
        .timeLimit(.minutes(1)),
        arguments: QueueKind.carrying
    )
    func cancelledBetween(_ kind: QueueKind) async {
        for round in 0..<50 {
            let (queue, group) = (kind.make(), DispatchGroup())
            queue.queue.maxConcurrentOperationCount = 1 + round % 2
            let hasStarted = AsyncStream<Void>.makeStream()
            let slow = AsynchronousOperation(finishesByItself: false) { hasStarted.continuation.yield() }
            let (earlier, operation) = (SynchronousOperation {}, SynchronousOperation { Issue.record("It ran.") })
            operation.addDependency(earlier)
            for each in [slow, earlier, operation] {
                group.enter()
                each.completionBlock = { group.leave() }
            }
            queue.add(slow)
            for await _ in hasStarted.stream { break }
            if round % 3 > 0 { queue.addBarrier {} }
            queue.add(operation)
            if round % 5 == 0 { queue.queue.operations.last?.cancel() } else { operation.cancel() }
            queue.add(earlier)
            slow.finish()
            await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        }
    }

    @Test(
        "finishes a cancelled operation at once, and what waits for that, though a barrier before or after it waits for both",
        .rule("4.7"),
        .timeLimit(.minutes(1)),
        arguments: QueueKind.allCases,
        [false, true]
    )
    func cancelledBesideABarrier(_ kind: QueueKind, _ isBehind: Bool) async {
        let (queue, journal) = (kind.make(), Journal())
        let slow = AsynchronousOperation(finishesByItself: false) {}
        let (operation, later) = (SynchronousOperation { Issue.record("It ran.") }, SynchronousOperation {})
        operation.addDependency(slow)
        later.addDependency(operation)
        await withCheckedContinuation { continuation in
            later.completionBlock = { continuation.resume() }
            queue.add(slow)
            if isBehind {
                queue.add(later)
                queue.addBarrier { journal.note("barrier") }
                queue.add(operation)
            } else {
                queue.add(all: [operation, later])
                queue.addBarrier { journal.note("barrier") }
            }
            operation.cancel()
        }
        #expect(operation.isFinished && journal.all.isEmpty)
        slow.finish()
        await queue.finished()
        while queue.queue.operationCount > 0 { await queue.finished() }
        #expect(journal.all == ["barrier"])
    }
}
