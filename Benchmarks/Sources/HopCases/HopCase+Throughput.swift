import Dispatch
import MultiIdentity

/// A queue that is not suspended: its worker runs what was handed over while more is handed over, as far as there are cores.
extension HopCase {
    static let throughputCases = [
        HopCase("throughput", "raw") {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return .open(queue) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        HopCase("throughput", "handwritten", .user) {
            let (queue, counter) = (DispatchQueue(label: "handwritten"), Counter())
            return .open(queue) { hops in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    queue.async { Handwritten.$user.withValue(user) { counter.value += 1 } }
                }
            }
        },
        HopCase("throughput", "carried", .identity) {
            let (queue, counter) = (IdentityQueue(label: "carried"), Counter())
            return .open(queue.base) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
        HopCase("throughput", "carried-in-batches", .identity) {
            let (queue, counter) = (IdentityQueue(label: "batched", draining: .inBatches), Counter())
            return .open(queue.base) { hops in for _ in 0..<hops { queue.async { counter.value += 1 } } }
        },
    ]

    /// One hop at a time on an empty queue, each waited for: what batches must not cost where there is nothing to batch.
    static let idleCases = [
        HopCase("idle", "raw") {
            let (queue, turn) = (DispatchQueue(label: "raw"), Turn())
            return .oneByOne(turn) { queue.async { turn.end() } }
        },
        HopCase("idle", "handwritten", .user) {
            let (queue, turn) = (DispatchQueue(label: "handwritten"), Turn())
            return .oneByOne(turn) {
                let user = Handwritten.user
                queue.async { Handwritten.$user.withValue(user) { turn.end() } }
            }
        },
        HopCase("idle", "carried", .identity) {
            let (queue, turn) = (IdentityQueue(label: "carried"), Turn())
            return .oneByOne(turn) { queue.async { turn.end() } }
        },
        HopCase("idle", "carried-in-batches", .identity) {
            let (queue, turn) = (IdentityQueue(label: "batched", draining: .inBatches), Turn())
            return .oneByOne(turn) { queue.async { turn.end() } }
        },
    ]
}

/// A turn that goes from the caller, which waits, to the worker and back.
private final class Turn: Sendable {
    private let hasEnded = DispatchSemaphore(value: 0)

    func end() { hasEnded.signal() }
    func wait() { hasEnded.wait() }
}

extension HopParts {
    fileprivate static func oneByOne(_ turn: Turn, hop: @escaping @Sendable () -> Void) -> HopParts {
        HopParts(enqueue: { hops in
            for _ in 0..<hops {
                hop()
                turn.wait()
            }
        })
    }

    fileprivate static func open(_ queue: DispatchQueue, enqueue: @escaping @Sendable (Int) -> Void) -> HopParts {
        HopParts(enqueue: enqueue, drain: { queue.sync {} })
    }
}
