import Dispatch
import GRDB
import Synchronization

/// Lets asynchronous work use a connection that is there for a synchronous closure alone: each question is asked on the thread of that
/// closure, which waits until the work is done.
final class Errands: Sendable {
    private enum Errand: Sendable {
        case ask(@Sendable (Database) -> Void)
        case end
    }

    private let errands = Mutex<[Errand]>([])
    private let isThere = DispatchSemaphore(value: 0)

    private func add(_ errand: Errand) {
        errands.withLock { $0.append(errand) }
        isThere.signal()
    }

    /// Asks the connection something.
    func ask<Value: Sendable>(_ question: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            add(.ask { db in continuation.resume(with: Result { try question(db) }) })
        }
    }

    func end() { add(.end) }

    /// Answers, until there is nothing more to ask.
    func serve(_ db: Database) {
        while true {
            isThere.wait()
            switch errands.withLock({ $0.removeFirst() }) {
            case .ask(let question): question(db)
            case .end: return
            }
        }
    }
}
