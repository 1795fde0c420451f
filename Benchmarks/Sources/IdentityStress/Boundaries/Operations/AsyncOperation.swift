import Foundation
import Synchronization

/// An operation that is executing from its `start` until its work calls `finish`.
final class AsyncOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` restates the superclass's promise; what changes here is atomic.

    private enum Phase {
        static let waiting = 0, executing = 1, finished = 2
    }

    private let work: @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
    private let phase = Atomic(Phase.waiting)

    init(_ work: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void) {
        self.work = work
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { phase.load(ordering: .acquiring) == Phase.executing }
    override var isFinished: Bool { phase.load(ordering: .acquiring) == Phase.finished }

    override func start() {
        enter(Phase.executing, "isExecuting")
        work { self.enter(Phase.finished, "isFinished") }
    }

    private func enter(_ next: Int, _ key: String) {
        willChangeValue(forKey: key)
        phase.store(next, ordering: .releasing)
        didChangeValue(forKey: key)
    }
}
