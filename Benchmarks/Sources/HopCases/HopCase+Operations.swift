import Foundation
import MultiIdentity
import MultiIdentityFoundation
import Synchronization

extension HopParts {
    fileprivate static func held(
        _ queue: OperationQueue,
        enqueue: @escaping @Sendable (OperationQueue, Int) -> Void
    ) -> HopParts {
        queue.maxConcurrentOperationCount = 1
        return HopParts(hold: { queue.isSuspended = true }, enqueue: { hops in enqueue(queue, hops) }) {
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
        }
    }
}

/// A handwritten counterpart: it starts another operation as the user who created it.
private final class ForwardingOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; the properties here are constant.
    private let operation: Operation
    private let user = Handwritten.user

    init(to operation: Operation) { self.operation = operation }

    override func main() { Handwritten.$user.withValue(user) { operation.start() } }
}

extension HopCase {
    static let operationCases =
        [
            HopCase("operation-closure", "raw") {
                let counter = Counter()
                return .held(OperationQueue()) { queue, hops in
                    for _ in 0..<hops { queue.addOperation { counter.value += 1 } }
                }
            },
            HopCase("operation-closure", "handwritten", .user) {
                let counter = Counter()
                return .held(OperationQueue()) { queue, hops in
                    for _ in 0..<hops {
                        let user = Handwritten.user
                        queue.addOperation { Handwritten.$user.withValue(user) { counter.value += 1 } }
                    }
                }
            },
            HopCase("operation-closure", "carried", .identity) {
                let counter = Counter()
                return .held(IdentityOperationQueue()) { queue, hops in
                    for _ in 0..<hops { queue.addOperation { counter.value += 1 } }
                }
            },
        ] + madeElsewhere.flatMap { made in made.cases("") + made.cases("-static") }

    /// The operations that other code makes, by their names in the table.
    private static let madeElsewhere = [
        MadeElsewhere("operation-block") { counter in BlockOperation { counter.value += 1 } },
        MadeElsewhere("operation-asynchronous", CountingAsynchronousOperation.init),
        MadeElsewhere("operation-chain", isChain: true) { counter in BlockOperation { counter.value += 1 } },
    ]
}

/// A row of the table: operations of one kind, each added by itself.
private struct MadeElsewhere: Sendable {
    let boundary: String
    /// True if each depends on the one before.
    let isChain: Bool
    let make: @Sendable (Counter) -> Operation

    init(_ boundary: String, isChain: Bool = false, _ make: @escaping @Sendable (Counter) -> Operation) {
        (self.boundary, self.isChain, self.make) = (boundary, isChain, make)
    }

    /// Its variants; those that end in `-static` are counted with a statically linked Swift runtime, the others with a
    /// dynamic one, which decides how they are carried.
    func cases(_ suffix: String) -> [HopCase] {
        let isTimed = suffix.isEmpty
        return [
            HopCase(boundary + suffix, "raw", isTimed: isTimed) { parts(OperationQueue()) { $0 } },
            HopCase(boundary + suffix, "handwritten", .user, isTimed: isTimed) {
                parts(OperationQueue()) { ForwardingOperation(to: $0) }
            },
            HopCase(boundary + suffix, "carried", .identity, isTimed: isTimed) {
                parts(IdentityOperationQueue()) { $0 }
            },
        ]
    }

    private func parts(
        _ queue: OperationQueue,
        _ added: @escaping @Sendable (Operation) -> Operation
    ) -> HopParts {
        let counter = Counter()
        return .held(queue) { queue, hops in
            var last: Operation?
            for _ in 0..<hops {
                let operation = added(make(counter))
                if isChain, let last { operation.addDependency(last) }
                queue.addOperation(operation)
                last = operation
            }
        }
    }
}

/// An asynchronous operation that keeps its own state, and has finished when its `start` returns.
private final class CountingAsynchronousOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; the one mutable property is atomic.
    private let counter: Counter
    private let phase = Atomic(0)

    init(_ counter: Counter) { self.counter = counter }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { phase.load(ordering: .acquiring) == 1 }
    override var isFinished: Bool { phase.load(ordering: .acquiring) == 2 }

    override func start() {
        go(to: 1, "isExecuting")
        counter.value += 1
        go(to: 2, "isFinished")
    }

    private func go(to next: Int, _ key: String) {
        willChangeValue(forKey: key)
        phase.store(next, ordering: .releasing)
        didChangeValue(forKey: key)
    }
}
