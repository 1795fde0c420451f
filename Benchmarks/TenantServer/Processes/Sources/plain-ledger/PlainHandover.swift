import Dispatch
import Foundation
import LedgerService
import MultiIdentity

/// Hands work over to a plain queue, with its user in a thread-local.
///
/// It is the code that the package replaces: a worker reads what some handler left on the worker's thread, or nothing.
struct PlainHandover: WorkHandover {
    private let queue = DispatchQueue(label: "ledger.blocking.plain", attributes: .concurrent)

    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        Self.left = Identity.current
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                // As such code does: the user left on the thread is taken for the user of the work.
                continuation.resume(with: Result { try withIdentity(Self.left) { try work() } })
            }
        }
    }

    /// The user that was left on this thread.
    private static var left: Identity? {
        get { Thread.current.threadDictionary["identity"] as? Identity }
        set { Thread.current.threadDictionary["identity"] = newValue }
    }
}
