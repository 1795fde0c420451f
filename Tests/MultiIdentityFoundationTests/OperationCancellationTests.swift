import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

/// Each test describes a plain queue, and checks that the others do the same.
@Suite("A cancelled operation, in a plain queue or one that carries identity") struct OperationCancellationTests {
    @Test(
        "finishes an operation that was cancelled before it started, without running it",
        .rule("4.7"),
        arguments: QueueKind.allCases,
        OperationKind.allCases
    )
    func cancelledBefore(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let queue = kind.make()
        let journal = Notes<String>()
        queue.queue.isSuspended = true
        let operation = operationKind.make { journal.add("ran") }
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
        "finishes a cancelled operation and its dependents at once, although a barrier before or after it waits for both",
        .rule("4.7"),
        .timeLimit(.minutes(1)),
        arguments: QueueKind.allCases,
        OperationKind.allCases
    )
    func cancelledBesideABarrier(_ kind: QueueKind, _ operationKind: OperationKind) async {
        for isBehind in [false, true] {
            let (queue, journal, slow) = (
                kind.make(), Notes<String>(), AsynchronousOperation(finishesByItself: false) {}
            )
            let (operation, later) = (operationKind.make { journal.add("ran") }, SynchronousOperation {})
            operation.addDependency(slow)
            later.addDependency(operation)
            await withCheckedContinuation { continuation in
                later.completionBlock = { continuation.resume() }
                queue.add(all: isBehind ? [slow, later] : [slow, operation, later])
                queue.addBarrier { journal.add("barrier") }
                if isBehind { queue.add(operation) }
                operation.cancel()
            }
            #expect(operation.isFinished && journal.all.isEmpty)
            #expect(operation.dependencies == [slow])
            slow.finish()
            await queue.finished()
            #expect(journal.all == ["barrier"])
        }
    }
}
