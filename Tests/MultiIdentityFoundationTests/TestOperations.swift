import Foundation
import MultiIdentity
import Synchronization

/// A way to make an operation with work: each kind of class that a user may have.
enum OperationKind: String, CaseIterable, Sendable {
    case block, synchronous, asynchronous, customStart

    func make(_ work: @escaping @Sendable () -> Void) -> Operation {
        switch self {
        case .block: BlockOperation(block: work)
        case .synchronous: SynchronousOperation(work)
        case .asynchronous: AsynchronousOperation(work)
        case .customStart: CustomStartOperation(work)
        }
    }
}

/// A user's subclass that overrides `main`.
final class SynchronousOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    override func main() { work() }
}

/// A user's subclass that overrides `start`, and does all its work there.
final class CustomStartOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    override func start() {
        if !isCancelled { work() }
        super.start()
    }
}

/// A user's asynchronous operation, as described in Foundation's documentation: it ends when the test tells it to.
class AsynchronousOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; mutable state is behind a lock.
    private struct State {
        var isExecuting = false
        var isFinished = false
    }

    private let state = Locked(State())
    private let work: @Sendable () -> Void
    private let finishesByItself: Bool

    init(finishesByItself: Bool = true, _ work: @escaping @Sendable () -> Void) {
        self.work = work
        self.finishesByItself = finishesByItself
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0.isExecuting } }
    override var isFinished: Bool { state.withLock { $0.isFinished } }

    override func start() {
        if isCancelled { return finish() }
        change("isExecuting") { $0.isExecuting = true }
        work()
        if finishesByItself { DispatchQueue.global().async { self.finish() } }
    }

    func finish() {
        change("isExecuting") { $0.isExecuting = false }
        change("isFinished") { $0.isFinished = true }
    }

    private func change(_ key: String, _ body: @Sendable (inout State) -> Void) {
        willChangeValue(forKey: key)
        state.withLock { body(&$0) }
        didChangeValue(forKey: key)
    }
}

/// A user's operation that decides by itself when it is ready.
final class GatedOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; mutable state is behind a lock.
    private let isOpen = Locked(false)
    private let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    override var isReady: Bool { super.isReady && isOpen.withLock { $0 } }
    override func main() { work() }
    func open() {
        willChangeValue(forKey: "isReady")
        isOpen.withLock { $0 = true }
        didChangeValue(forKey: "isReady")
    }
}

/// A user's operation that is not ready, once, when a queue's worker checks it before the start.
final class FickleOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's conformance; mutable state is behind a lock.
    private let hasRefused = Locked(false)
    private let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    override var isReady: Bool {
        let isAskedByAWorker = OperationQueue.current != nil
        let hadRefused = hasRefused.withLock { hasRefused in
            defer { if isAskedByAWorker { hasRefused = true } }
            return hasRefused
        }
        return super.isReady && (!isAskedByAWorker || hadRefused)
    }
    override func main() { work() }
}

final class DroppingQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ operation: Operation) {}
}

/// An operation that runs a closure when its readiness is first checked.
final class AddingOperation: Operation, @unchecked Sendable {
    private let whenAsked: @Sendable () -> Void
    private let work: @Sendable () -> Void
    private let wasAsked = Atomic(false)

    init(_ whenAsked: @escaping @Sendable () -> Void, _ work: @escaping @Sendable () -> Void) {
        (self.whenAsked, self.work) = (whenAsked, work)
    }

    override var isReady: Bool {
        if !wasAsked.exchange(true, ordering: .relaxed) { whenAsked() }
        return super.isReady
    }

    override func main() { work() }
}
