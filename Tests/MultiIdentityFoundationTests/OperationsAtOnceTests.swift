import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

@Suite("Asynchronous operations that wait for each other over two queues") struct OperationsAtOnceTests {
    /// It finishes before its `start` returns; others may finish on another thread at that moment.
    private final class FinishedInItsStart: AsynchronousOperation, @unchecked Sendable {
        override func start() {
            super.start()
            if !isFinished { finish() }
        }
    }

    @Test(
        "all finish, each as its adder, although some are cancelled and the width of a queue changes",
        .rule("4.5", "4.7"),
        .timeLimit(.minutes(20)),
        arguments: QueueKind.carrying,
        0..<20
    )
    func finish(_ kind: QueueKind, _ round: Int) async {
        let users = [ada, Users.bob]
        let queues = [kind.make(), kind.make()]
        queues[0].queue.maxConcurrentOperationCount = 1 + round % 3
        queues[1].queue.maxConcurrentOperationCount = 2
        let (strangers, group) = (Notes<String>(), DispatchGroup())
        var operations: [AsynchronousOperation] = []
        for number in 0..<30 {
            let user = users[number % 2]
            let look: @Sendable () -> Void = { if Identity.current != user { strangers.add("\(number)") } }
            let operation: AsynchronousOperation =
                number % 3 == 0 ? FinishedInItsStart(finishesByItself: false, look) : AsynchronousOperation(look)
            group.enter()
            operation.completionBlock = {
                look()
                group.leave()
            }
            if let last = operations.last { operation.addDependency(last) }
            if number > 3 { operation.addDependency(operations[number - 3]) }
            withIdentity(user) { queues[number % 2].add(operation) }
            operations.append(operation)
            if number % 7 == 6 { operations[number - 1].cancel() }
            if number == 15 { queues[0].queue.maxConcurrentOperationCount = 4 }
        }
        await withCheckedContinuation { continuation in group.notify(queue: .global()) { continuation.resume() } }
        #expect(operations.allSatisfy { $0.isFinished })
        #expect(strangers.all.isEmpty)
    }
}
