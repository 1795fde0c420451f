import Foundation
import MultiIdentity

/// Runs `body` on a new thread, where no task runs and nothing is bound, while the test is suspended.
///
/// A body may block there, since it takes no thread away from the pool that runs tasks.
package func onNewThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    let result = Locked<Value?>(nil)
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let value = body()
            result.withLock { $0 = value }
            continuation.resume()
        }
    }
    guard let value = result.withLock({ $0 }) else { preconditionFailure("The thread ended without a value.") }
    return value
}
