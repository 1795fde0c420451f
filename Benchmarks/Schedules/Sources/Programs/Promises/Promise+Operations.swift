import Dispatch
import Foundation
import MultiIdentity
import MultiIdentityFoundation

extension Promise {
    static let operations = [
        Promise("who waits for operations waits for all", awaitedOperations),
        Promise("a barrier block runs alone", barrierBlocks),
        Promise("an operation waits for what it depends on since it was added", dependencies),
        Promise("an operation begins once the one before has finished") {
            try await operationsInTurn($0, in: IdentityOperationQueue())
        },
        Promise("an operation begins once the one before has finished, by stand-ins") {
            try await operationsInTurn($0, in: StandInQueue())
        },
        Promise("a completion block is its operation's, and knows who cancelled it") {
            try await completions($0, in: IdentityOperationQueue())
        },
        Promise("a completion block is its operation's, and knows who cancelled it, by stand-ins") {
            try await completions($0, in: StandInQueue())
        },
    ]

    private static func awaitedOperations(_ findings: Findings) async throws {
        let (queue, group) = (IdentityOperationQueue(), DispatchGroup())
        for user in [try account("ada"), try account("bo")] {
            withIdentity(user) {
                IdentityQueue.global().async(group: group) {
                    let ended = Count()
                    let operations = (0..<3).map { _ in
                        BlockOperation {
                            letOthersGoOn()
                            findings.expect(user, "an operation")
                            ended.add()
                        }
                    }
                    queue.addOperations(operations, waitUntilFinished: true)
                    findings.expect(ended.value == 3, "\(ended.value) of 3 operations have ended")
                }
            }
        }
        await end(of: group)
    }

    private static func barrierBlocks(_ findings: Findings) async throws {
        let (queue, group, store) = (IdentityOperationQueue(), DispatchGroup(), Store(findings))
        for user in [try account("ada"), try account("bo")] {
            withIdentity(user) {
                for _ in 0..<3 { group.enter() }
                let read: @Sendable () -> Void = {
                    store.read()
                    group.leave()
                }
                queue.addOperation(read)
                queue.addBarrierBlock {
                    findings.expect(user, "a barrier block")
                    store.write()
                    group.leave()
                }
                queue.addOperation(read)
            }
        }
        await end(of: group)
    }

    private static func operationsInTurn(_ findings: Findings, in queue: OperationQueue) async throws {
        let (group, under) = (DispatchGroup(), Count())
        queue.maxConcurrentOperationCount = 1
        for user in [try account("ada"), try account("bo")] {
            for _ in 0..<2 { group.enter() }
            let operation = Download { operation in
                findings.expect(user, "an asynchronous operation")
                findings.expect(under.add() == 1, "an operation begins before the one before it has finished")
                IdentityQueue.global().async(group: group) {
                    findings.expect(user, "what an asynchronous operation hands over")
                    under.add(-1)
                    operation.finish()
                }
                group.leave()
            }
            operation.completionBlock = { group.leave() }
            withIdentity(user) { queue.addOperation(operation) }
        }
        await end(of: group)
    }

    private static func dependencies(_ findings: Findings) async throws {
        let (queue, group, order) = (IdentityOperationQueue(), DispatchGroup(), Log<Int>())
        for _ in 0..<2 { group.enter() }
        let (first, second) = (
            BlockOperation {
                letOthersGoOn()
                order.add(1)
                group.leave()
            },
            BlockOperation {
                order.add(2)
                group.leave()
            }
        )
        queue.isSuspended = true
        try withIdentity(account("ada")) { queue.addOperation(second) }
        second.addDependency(first)
        try withIdentity(account("bo")) { queue.addOperation(first) }
        queue.isSuspended = false
        await end(of: group)
        findings.expect(order.all == [1, 2], "operations run in the order \(order.all)")
    }

    private static func completions(_ findings: Findings, in queue: OperationQueue) async throws {
        let group = DispatchGroup()
        let (ada, bo) = (try account("ada"), try account("bo"))
        let goesOn = DispatchSemaphore(value: 0)
        let first = BlockOperation { goesOn.wait() }
        let second = BlockOperation { findings.expect(false, "a cancelled operation runs") }
        second.addDependency(first)
        for _ in 0..<2 { group.enter() }
        first.completionBlock = {
            findings.expect(ada, "a completion block")
            group.leave()
        }
        second.completionBlock = {
            findings.expect(ada, "a completion block")
            let trigger = IdentityTrigger.current?.identity
            findings.expect(trigger == bo, "an operation is cancelled by \(trigger.map(\.name) ?? "no one")")
            group.leave()
        }
        withIdentity(ada) { queue.addOperations([first, second], waitUntilFinished: false) }
        withIdentity(bo) { queue.cancelAllOperations() }
        goesOn.signal()
        await end(of: group)
    }
}

/// An operation that finishes on request.
private final class Download: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; the mutable state is atomic.
    private let begin: @Sendable (Download) -> Void
    private let (executing, finished) = (Count(), Count())

    init(_ begin: @escaping @Sendable (Download) -> Void) { self.begin = begin }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { executing.value == 1 }
    override var isFinished: Bool { finished.isSet }

    override func start() {
        change("isExecuting") { executing.add() }
        begin(self)
    }

    func finish() {
        change("isExecuting") { executing.add() }
        change("isFinished") { finished.set() }
    }

    private func change(_ key: String, _ work: () -> Void) {
        willChangeValue(forKey: key)
        work()
        didChangeValue(forKey: key)
    }
}
