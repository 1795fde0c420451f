import Dispatch
import MultiIdentity

/// `concurrentPerform` of a thousand iterations with an empty body; a hop is an iteration.
extension HopCase {
    private static let iterations = 1_000

    static let performCases = [
        HopCase("concurrent-perform", "raw", batch: iterations) {
            HopParts(enqueue: { hops in
                for _ in 0..<hops / iterations { DispatchQueue.concurrentPerform(iterations: iterations) { _ in } }
            })
        },
        HopCase("concurrent-perform", "handwritten", .user, batch: iterations) {
            HopParts(enqueue: { hops in
                for _ in 0..<hops / iterations {
                    let user = Handwritten.user
                    DispatchQueue.concurrentPerform(iterations: iterations) { _ in
                        Handwritten.$user.withValue(user) {}
                    }
                }
            })
        },
        HopCase("concurrent-perform", "carried", .identity, batch: iterations, parts: carriedPerform),
        HopCase("concurrent-perform", "carried-unbound", batch: iterations, parts: carriedPerform),
    ]

    private static let carriedPerform: @Sendable () -> HopParts = {
        HopParts(enqueue: { hops in
            for _ in 0..<hops / iterations { IdentityQueue.concurrentPerform(iterations: iterations) { _ in } }
        })
    }
}
