import Dispatch
import MultiIdentity

/// Hands work over to a queue that carries identity: the code that an adopter writes.
struct CarriedHandover: WorkHandover {
    private let queue = IdentityQueue(label: "ledger.blocking", attributes: .concurrent)

    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
