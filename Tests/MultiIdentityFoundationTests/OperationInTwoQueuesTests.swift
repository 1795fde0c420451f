import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Testing

/// A carrying queue with stand-ins contains one of those, and neither queue sees the other; Foundation refuses the second one.
@Suite("An operation that is also in a plain queue") struct OperationInTwoQueuesTests {
    /// A carrying queue and a plain one, both suspended, and the order in which an operation is added to them.
    struct Queues: Sendable, CustomTestStringConvertible {
        let carrying: QueueKind
        let isPlainFirst: Bool

        static let all = [true, false].map { Queues(carrying: .standIns, isPlainFirst: $0) }

        var testDescription: String { "\(carrying), \(isPlainFirst ? "after" : "before") the plain one" }

        /// The queues, with the operation in each.
        func added(_ operation: Operation) -> (plain: TestQueue, carrying: TestQueue) {
            let queues = (plain: QueueKind.plain.make(), carrying: carrying.make())
            queues.plain.queue.isSuspended = true
            queues.carrying.queue.isSuspended = true
            withIdentity(ada) {
                let inOrder = isPlainFirst ? [queues.plain, queues.carrying] : [queues.carrying, queues.plain]
                for queue in inOrder { queue.add(operation) }
            }
            return queues
        }
    }

    @Test(
        "runs once and with nothing bound if the plain one runs it first",
        .rule("5.2"),
        arguments: Queues.all,
        OperationKind.allCases
    )
    func plainRunsFirst(_ queues: Queues, _ kind: OperationKind) async {
        let seen = Locked<[Identity?]>([])
        let operation = kind.make { seen.withLock { $0.append(.current) } }
        let (plain, carrying) = queues.added(operation)
        for queue in [plain, carrying] {
            queue.queue.isSuspended = false
            await queue.finished()
        }
        #expect(operation.isFinished)
        #expect(seen.withLock { $0 } == [nil])
    }

    @Test(
        "is not started again while the plain one runs it, and is waited for",
        .rule("5.2"),
        arguments: Queues.all,
        [OperationKind.block, .synchronous, .asynchronous]
    )
    func plainIsRunningIt(_ queues: Queues, _ kind: OperationKind) async {
        let journal = Notes<String>()
        let (running, runs) = AsyncStream.makeStream(of: Void.self)
        let mayEnd = DispatchSemaphore(value: 0)
        let operation = kind.make {
            journal.add("runs as \(Identity.current?.name ?? "none")")
            runs.yield()
            mayEnd.wait()
        }
        let (plain, carrying) = queues.added(operation)
        carrying.addBarrier { journal.add("next") }
        plain.queue.isSuspended = false
        for await _ in running { break }
        carrying.queue.isSuspended = false
        let standIn = carrying.queue.operations.first
        while standIn?.isExecuting == false { await Task.yield() }
        journal.add("ends")
        mayEnd.signal()
        for queue in [plain, carrying] { await queue.finished() }
        #expect(journal.all == ["runs as none", "ends", "next"])
    }

    @Test("runs once, as its adder, if it manages its state and the carrying one runs it first", arguments: Queues.all)
    func carryingRunsFirst(_ queues: Queues) async {
        let seen = Locked<[Identity?]>([])
        let operation = OperationKind.asynchronous.make { seen.withLock { $0.append(.current) } }
        let (plain, carrying) = queues.added(operation)
        for queue in [carrying, plain] {
            queue.queue.isSuspended = false
            await queue.finished()
        }
        #expect(seen.withLock { $0 } == [ada])
        // A plain queue on Linux has an unowned reference to an operation that finished elsewhere.
        withExtendedLifetime(operation) {}
    }

    #if !canImport(Darwin) && compiler(>=6.3)  // an exit test that captures
    @Test(
        "stops the program with Foundation's message if the carrying one starts it first",
        .rule("5.1"),
        arguments: [true, false]
    )
    func carryingStartsFirst(_ isPlainFirst: Bool) async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [isPlainFirst = isPlainFirst as Bool] in
            let queues = Queues(carrying: .standIns, isPlainFirst: isPlainFirst).added(SynchronousOperation {})
            queues.carrying.queue.isSuspended = false
            await queues.carrying.finished()
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("trying to start the receiver simultaneously from more than one thread"))
    }
    #endif
}
