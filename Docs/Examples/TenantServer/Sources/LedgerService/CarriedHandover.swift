import Dispatch
import MultiIdentity

/// Hands work over to a queue that carries identity: the code that an adopter writes.
public struct CarriedHandover: WorkHandover {
    private let queue = IdentityQueue(label: "ledger.blocking", attributes: .concurrent)

    /// A handover with a queue of its own.
    public init() {}

    /// Captured when called: runs `work` on the queue as the caller, and returns its result.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
