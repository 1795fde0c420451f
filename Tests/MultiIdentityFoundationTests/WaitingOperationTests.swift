import Foundation
import MultiIdentity
import Synchronization
import Testing

@testable import MultiIdentityFoundation

@Suite("An operation that waits behind a stand-in", .rule("4.7")) struct WaitingOperationTests {
    @Test("is checked less and less often while nothing changes, and lets its process sleep", .timeLimit(.minutes(1)))
    func seldom() async {
        let operation = AskedOperation()
        // A separate attendant: other tests' operations keep the shared one awake.
        let attendant = OperationAttendant()
        let queue = OperationQueue()
        let standIn = OperationStandIn(for: operation, in: queue, BoundaryCapture(at: .operation))
        let duration = await ContinuousClock().measure {
            #expect(attendant.attend(standIn))
            standIn.wait()
            await operation.asked(times: 11)
        }
        withExtendedLifetime((standIn, queue)) {}
        // The waits take more than a second in total; with the shortest waits it would be 50 ms.
        #expect(duration > .milliseconds(900))
    }

    @Test("is checked soon after a change, then after twice as long each time, up to a quarter of a second")
    func pace() {
        var pace = OperationLookPace()
        let waits = (1...8).map { _ in pace.next(hasChanged: false) }
        #expect(waits == [10, 20, 40, 80, 160, 250, 250, 250].map(Duration.milliseconds))
        #expect(pace.next(hasChanged: true) == .milliseconds(5))
        #expect(pace.next(hasChanged: false) == .milliseconds(10))
    }

    @Test("is noticed when it changes after a long wait, and delays nothing else", .timeLimit(.minutes(1)))
    func changes() async {
        let queue = QueueKind.standIns.make()
        let waiting = AskedOperation()
        queue.add(waiting)
        let standIn = queue.queue.operations.first
        await waiting.asked(times: 9)  // by now the waits have their maximum length
        let isStillThere = queue.queue.operations.first === standIn
        #expect(isStillThere)  // it was not started in vain
        await withCheckedContinuation { beside in queue.add { beside.resume() } }
        #expect(!waiting.isFinished)
        await withCheckedContinuation { finished in
            waiting.completionBlock = { finished.resume() }
            waiting.open()
        }
    }

    @Test("gets a new priority in its queue if its priority changes after it was added", .timeLimit(.minutes(1)))
    func priority() async {
        let queue = QueueKind.standIns.make()
        queue.queue.isSuspended = true
        let operation = AskedOperation(isOpen: true)
        queue.add(operation)
        operation.queuePriority = .veryHigh
        while queue.queue.operations.first?.queuePriority != .veryHigh { await Task.yield() }
        await withCheckedContinuation { finished in
            operation.completionBlock = { finished.resume() }
            queue.queue.isSuspended = false
        }
    }

    @Test("is asked a few times whether it is ready, however many wait with it", .timeLimit(.minutes(1)))
    func chain() async {
        let queue = QueueKind.standIns.make()
        let operations = (0..<400).map { _ in AskedOperation(isOpen: true) }
        for (earlier, later) in zip(operations, operations.dropFirst()) { later.addDependency(earlier) }
        await withCheckedContinuation { finished in
            operations[399].completionBlock = { finished.resume() }
            queue.add(all: operations)
        }
        // Checking all of them costs one question each; checking one again after each of the others would ask it some 400 times.
        let asked = operations.reduce(0) { $0 + $1.asked }
        #expect(asked < 100 * operations.count)
    }

    /// Ready once it was opened, without a notification; counts how often it was asked.
    private final class AskedOperation: Operation, @unchecked Sendable {
        private let isOpen: Atomic<Bool>
        private let count = Atomic(0)
        private let asks = AsyncStream.makeStream(of: Void.self)

        init(isOpen: Bool = false) { self.isOpen = Atomic(isOpen) }

        var asked: Int { count.load(ordering: .relaxed) }

        override var isReady: Bool {
            asks.continuation.yield()
            count.add(1, ordering: .relaxed)
            return isOpen.load(ordering: .relaxed) && super.isReady
        }

        func open() { isOpen.store(true, ordering: .relaxed) }

        /// Returns once it has been asked that often.
        func asked(times: Int) async {
            for await _ in asks.stream.prefix(times) {}
        }
    }
}
