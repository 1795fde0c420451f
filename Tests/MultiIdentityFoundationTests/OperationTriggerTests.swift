import Foundation
import MultiIdentityFoundation
import Testing

@testable import MultiIdentity

@Suite("An operation's completion block knows who ended the operation", .rule("4.10")) struct OperationTriggerTests {
    /// A completion block's observations: whether it knows its trigger, who that is, and the identity that it runs as.
    private struct Found: Sendable, Equatable {
        let isKnown: Bool
        let trigger: Identity?
        let runsAs: Identity?
    }

    /// Returns the observations of the completion block of ada's `operation`, which `use` runs once it is in a queue.
    private func found(
        _ operation: Operation,
        in kind: QueueKind,
        _ use: (TestQueue) async -> Void = { $0.queue.isSuspended = false }
    ) async -> Found? {
        let queue = kind.make()
        queue.queue.isSuspended = true
        let (all, one) = AsyncStream<Found>.makeStream()
        operation.completionBlock = {
            let trigger = IdentityTrigger.current
            one.yield(Found(isKnown: trigger != nil, trigger: trigger?.identity, runsAs: .current))
        }
        withIdentity(ada) { queue.add(operation) }
        await use(queue)
        for await found in all { return found }
        return nil
    }

    @Test("the operation itself, which ran", arguments: QueueKind.carrying, OperationKind.allCases)
    func ran(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let found = await found(operationKind.make {}, in: kind)
        // The asynchronous one reports its end from a plain queue, where nothing is bound.
        #expect(found == Found(isKnown: true, trigger: operationKind == .asynchronous ? nil : ada, runsAs: ada))
    }

    @Test("the identity that finishes an asynchronous one", arguments: QueueKind.carrying)
    func finished(_ kind: QueueKind) async {
        let hasStarted = AsyncStream<Void>.makeStream()
        let operation = AsynchronousOperation(finishesByItself: false) { hasStarted.continuation.yield() }
        let found = await found(operation, in: kind) { queue in
            queue.queue.isSuspended = false
            for await _ in hasStarted.stream { break }
            withIdentity(grace) { operation.finish() }
        }
        #expect(found == Found(isKnown: true, trigger: grace, runsAs: ada))
    }

    @Test(
        "the identity that cancelled all of the queue's, if it never ran",
        arguments: QueueKind.carrying,
        OperationKind.allCases
    )
    func cancelled(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let ready = operationKind.make { Issue.record("It ran.") }
        let waiting = operationKind.make { Issue.record("It ran.") }
        waiting.addDependency(Operation())
        for operation in [ready, waiting] {
            let found = await found(operation, in: kind) { queue in
                withIdentity(grace) { queue.queue.cancelAllOperations() }
                withIdentity(ada) { queue.queue.cancelAllOperations() }
                queue.queue.isSuspended = false
            }
            // A plain queue does not report who did it; a stand-in does.
            let isKnown = kind != .view || kind.getsStandIns
            #expect(found == Found(isKnown: isKnown, trigger: isKnown ? grace : nil, runsAs: ada))
        }
    }

    @Test("unknown for one that was cancelled separately", arguments: QueueKind.carrying, OperationKind.allCases)
    func cancelledDirectly(_ kind: QueueKind, _ operationKind: OperationKind) async {
        let operation = operationKind.make {}
        let found = await found(operation, in: kind) { queue in
            withIdentity(grace) { operation.cancel() }
            withIdentity(ada) { queue.queue.cancelAllOperations() }
            queue.queue.isSuspended = false
        }
        #expect(found == Found(isKnown: false, trigger: nil, runsAs: ada))
    }

    @Test("unknown for one that was cancelled while it ran, whether that ended it or not") func cancelledMeanwhile()
        async
    {
        let running = Locked<Operation?>(nil)
        let operation = SynchronousOperation { running.withLock { $0 }?.cancel() }
        running.withLock { $0 = operation }
        let found = await found(operation, in: .identity)
        #expect(found == Found(isKnown: false, trigger: nil, runsAs: ada))
        running.withLock { $0 = nil }
    }

    @Test("also known for a closure's operation, unless it was cancelled", arguments: [false, true])
    func closure(_ isCancelled: Bool) async throws {
        let queue = IdentityOperationQueue()
        queue.isSuspended = true
        withIdentity(ada) { queue.addOperation {} }
        let operation = try #require(queue.operations.first)
        let (all, one) = AsyncStream<Found>.makeStream()
        operation.completionBlock = {
            let trigger = IdentityTrigger.current
            one.yield(Found(isKnown: trigger != nil, trigger: trigger?.identity, runsAs: .current))
        }
        if isCancelled { withIdentity(grace) { operation.cancel() } }
        queue.isSuspended = false
        for await found in all {
            #expect(found == Found(isKnown: !isCancelled, trigger: isCancelled ? nil : ada, runsAs: ada))
            break
        }
    }
}
