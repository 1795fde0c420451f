import Dispatch

/// Hops that are made in sequence: handing over only counts them, so that no two of them run at the same time.
extension HopParts {
    /// Each hop is made inside the work of the previous one: `start` makes `chain.goOn()` run on the other side.
    static func chained(_ start: @escaping @Sendable (_ chain: Chain) -> Void) -> HopParts {
        let chain = Chain(start)
        return HopParts(enqueue: { hops in chain.left.value += hops }, drain: { chain.run() })
    }

    /// All hops are made in one task, which inherits what is bound.
    static func inOneTask(
        isCancelled: Bool = false,
        _ hop: @escaping @Sendable () async -> Void
    ) -> HopParts {
        let (left, isDone) = (Counter(), DispatchSemaphore(value: 0))
        return HopParts(
            enqueue: { hops in left.value += hops },
            drain: {
                Task {
                    if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                    for _ in 0..<left.value { await hop() }
                    left.value = 0
                    isDone.signal()
                }
                isDone.wait()
            }
        )
    }
}

/// Hops that are each started by the previous one.
final class Chain: Sendable {
    /// The number of remaining hops, which use it in turn.
    fileprivate let left = Counter()
    private let hasEnded = DispatchSemaphore(value: 0)
    private let start: @Sendable (Chain) -> Void

    fileprivate init(_ start: @escaping @Sendable (Chain) -> Void) { self.start = start }

    fileprivate func run() {
        goOn()
        hasEnded.wait()
    }

    /// Starts the next hop, or ends.
    func goOn() {
        if left.value == 0 {
            hasEnded.signal()
        } else {
            left.value -= 1
            start(self)
        }
    }
}
