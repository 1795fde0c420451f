import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Synchronization

/// Stress-tests operation queues in a program that links the Swift runtime statically, where stand-ins carry.
///
/// It runs situations that a plain queue also handles, and then random rounds of dependencies, cancellation, priorities,
/// widths, suspension and barriers. Everything has to finish, and to run as its adder.
@main struct OperationAttack {
    static func main() throws {
        let shown = IdentityOperationQueue()
        shown.isSuspended = true
        shown.addOperation(BlockOperation {})
        var findings =
            "\(shown.operations)".contains("StandIn") ? [] : ["no stand-in: is the runtime linked dynamically?"]
        for isBehind in [false, true] {
            for queue in [OperationQueue(), IdentityOperationQueue()] where !cancels(queue, isBehind) {
                findings.append(
                    "\(queue): one that is cancelled \(isBehind ? "behind" : "before") a barrier is waited for"
                )
            }
        }
        let owner = try endsEarly(IdentityOperationQueue())
        if owner != (try Identity("ada")) {
            findings.append("one that ends where it is cancelled completes as \(owner as Any)")
        }
        for seed in 1...2_000 where findings.isEmpty {
            if let found = try Round(seed).run() { findings.append("\(seed): \(found)") }
        }
        for finding in findings { print("WRONG", finding) }
        exit(findings.isEmpty ? 0 : 1)
    }

    /// Returns whether dependents of a cancelled operation run while a barrier waits for them, and then the whole queue.
    private static func cancels(_ queue: OperationQueue, _ isBehind: Bool) -> Bool {
        let (slow, operation, done) = (Slow { _ in }, BlockOperation {}, DispatchSemaphore(value: 0))
        let later = BlockOperation { done.signal() }
        operation.addDependency(slow)
        later.addDependency(operation)
        queue.addOperations(isBehind ? [slow, later] : [slow, operation, later], waitUntilFinished: false)
        queue.addBarrierBlock {}
        if isBehind { queue.addOperation(operation) }
        operation.cancel()
        if done.wait(timeout: .now() + 20) != .success { return false }
        slow.finish()
        // A plain queue's barrier refers to the cancelled operation without retaining it.
        withExtendedLifetime(operation) { queue.waitUntilAllOperationsAreFinished() }
        return true
    }

    /// Returns the identity that completes Ada's operation if another identity cancels it before it starts.
    private static func endsEarly(_ queue: OperationQueue) throws -> Identity? {
        let (operation, done) = (Slow { _ in }, DispatchSemaphore(value: 0))
        let found = Mutex<Identity?>(nil)
        operation.completionBlock = {
            found.withLock { $0 = .current }
            done.signal()
        }
        queue.isSuspended = true
        withIdentity(try Identity("ada")) { queue.addOperation(operation) }
        operation.cancel()
        operation.finish()
        queue.isSuspended = false
        done.wait()
        return found.withLock { $0 }
    }
}

/// An asynchronous operation, which others finish.
private final class Slow: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; the mutable state is atomic.
    private let phase = Atomic(0)
    private let work: @Sendable (Slow) -> Void

    init(_ work: @escaping @Sendable (Slow) -> Void) { self.work = work }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { phase.load(ordering: .acquiring) == 1 }
    override var isFinished: Bool { phase.load(ordering: .acquiring) == 2 }

    override func start() {
        if isCancelled { return finish() }
        willChangeValue(forKey: "isExecuting")
        phase.store(1, ordering: .releasing)
        didChangeValue(forKey: "isExecuting")
        work(self)
    }

    func finish() {
        willChangeValue(forKey: "isFinished")
        phase.store(2, ordering: .releasing)
        didChangeValue(forKey: "isFinished")
    }
}

/// Random operations in three queues.
private final class Round: Sendable {
    private let random: Atomic<UInt64>
    private let strangers = Atomic(0)
    private let users: [Identity?]

    init(_ seed: Int) throws {
        random = Atomic(UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
        users = [try Identity("ada"), try Identity("bob"), nil, .nobody]
    }

    private func below(_ end: UInt64) -> Int {
        let word = random.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        return Int((word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9 >> 32 % end)
    }

    private func check(_ user: Identity?) { if Identity.current != user { strangers.add(1, ordering: .relaxed) } }

    private func make(_ user: Identity?, _ other: Identity?) -> Operation {
        if below(2) == 0 { return BlockOperation { self.check(user) } }
        return Slow { slow in
            self.check(user)
            DispatchQueue.global().async { withIdentity(other) { slow.finish() } }
        }
    }

    /// Returns what went wrong.
    func run() -> String? {
        let (queues, group) = ((0..<3).map { _ in IdentityOperationQueue() }, DispatchGroup())
        for queue in queues {
            (queue.maxConcurrentOperationCount, queue.isSuspended) = ([1, 2, -1][below(3)], below(3) == 0)
        }
        var operations: [Operation] = []
        for _ in 0..<5 + below(20) {
            let (user, other, queue) = (users[below(4)], users[below(4)], queues[below(3)])
            let operation = make(user, other)
            group.enter()
            withIdentity(other) {
                operation.completionBlock = {
                    self.check(user)
                    group.leave()
                }
            }
            for _ in 0..<below(3) where !operations.isEmpty {
                operation.addDependency(operations[below(UInt64(operations.count))])
            }
            operation.queuePriority = [.normal, .veryLow, .high][below(3)]
            withIdentity(user) { queue.addOperation(operation) }
            operations.append(operation)
            if below(4) == 0 { operations[below(UInt64(operations.count))].cancel() }
            if below(9) == 0 { queue.operations.last?.cancel() }
            if below(5) == 0 { withIdentity(other) { queue.addBarrierBlock { self.check(other) } } }
        }
        for queue in queues { queue.isSuspended = false }
        if group.wait(timeout: .now() + 30) != .success { return "hangs" }
        for queue in queues { queue.waitUntilAllOperationsAreFinished() }
        let strangers = strangers.load(ordering: .relaxed)
        return withExtendedLifetime(operations) {
            strangers == 0 ? nil : "\(strangers) run as others than their adders"
        }
    }
}
