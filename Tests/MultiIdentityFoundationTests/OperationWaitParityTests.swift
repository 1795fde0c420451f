import Foundation
import MultiIdentityFoundation
import Testing

@Suite("Waiting in an operation queue, plain or carrying identity") struct OperationWaitParityTests {
    @Test(
        "ends when the operations added to their own queue have finished",
        .rule("4.7"),
        .timeLimit(.minutes(20)),
        arguments: QueueKind.allCases
    )
    func within(_ kind: QueueKind) async {
        let queue = kind.make()
        queue.queue.maxConcurrentOperationCount = 2
        let journal = Notes<String>()
        await withCheckedContinuation { continuation in
            queue.add {
                queue.add(waitingFor: [SynchronousOperation { journal.add("inner") }])
                journal.add("outer")
                continuation.resume()
            }
        }
        #expect(journal.all == ["inner", "outer"])
    }

    @Test(
        "as a barrier ends once the earlier operations have finished, and not once they have started",
        .rule("4.7"),
        arguments: QueueKind.allCases
    )
    func barrier(_ kind: QueueKind) async {
        let queue = kind.make()
        let journal = Notes<String>()
        let (isRunning, runs) = AsyncStream.makeStream(of: Void.self)
        let slow = AsynchronousOperation(finishesByItself: false) { runs.yield() }
        queue.add(slow)
        queue.addBarrier { journal.add(slow.isFinished ? "finished" : "running") }
        for await _ in isRunning { break }
        // A barrier that does not wait has some thousand turns to begin.
        for _ in 0..<1_000 { await Task.yield() }
        slow.finish()
        await queue.finished()
        #expect(journal.all == ["finished"])
    }

    // Not for a plain queue: if an operation is added while the one before it finishes, Foundation on Linux can forget it.
    @Test(
        "ends for all, although nothing else retains the queue",
        .timeLimit(.minutes(20)),
        arguments: QueueKind.carrying
    )
    func unkeptQueue(_ kind: QueueKind) async {
        let journal = Notes<String>()
        await withCheckedContinuation { continuation in
            let group = DispatchGroup()
            func add() {
                let queue = kind.make()
                var last: Operation?
                for number in 0..<100 {
                    group.enter()
                    let operation = SynchronousOperation {
                        journal.add("\(number)")
                        group.leave()
                    }
                    if number % 3 == 0, let last { operation.addDependency(last) }
                    last = operation
                    queue.add(operation)
                }
            }
            add()
            group.notify(queue: .global()) { continuation.resume() }
        }
        #expect(journal.all.count == 100)
    }
}
