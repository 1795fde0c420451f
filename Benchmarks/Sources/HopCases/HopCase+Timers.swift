import Dispatch
import MultiIdentity

/// `asyncAfter` one second ahead: all timers are set before the first is due, and then fire in bulk.
extension HopCase {
    static let timerCases = [
        HopCase("async-after", "raw", isTimed: false) {
            let (queue, counter) = (DispatchQueue(label: "raw"), Counter())
            return .fired(on: queue) { hops, deadline in
                for _ in 0..<hops { queue.asyncAfter(deadline: deadline) { counter.value += 1 } }
            }
        },
        HopCase("async-after", "handwritten", .user, isTimed: false) {
            let (queue, counter) = (DispatchQueue(label: "handwritten"), Counter())
            return .fired(on: queue) { hops, deadline in
                for _ in 0..<hops {
                    let user = Handwritten.user
                    queue.asyncAfter(deadline: deadline) {
                        Handwritten.$user.withValue(user) { counter.value += 1 }
                    }
                }
            }
        },
        HopCase("async-after", "carried", .identity, isTimed: false, parts: carriedAfter),
        HopCase("async-after", "carried-unbound", isTimed: false, parts: carriedAfter),
    ]

    private static let carriedAfter: @Sendable () -> HopParts = {
        let (queue, counter) = (IdentityQueue(label: "carried"), Counter())
        return .fired(on: queue.base) { hops, deadline in
            for _ in 0..<hops { queue.asyncAfter(deadline: deadline) { counter.value += 1 } }
        }
    }
}

extension HopParts {
    /// One deadline for all, far enough away that none fires while others are set, even when each instruction is counted.
    ///
    /// The queue is suspended until all have fired, so that no worker occasionally takes part in that.
    fileprivate static func fired(
        on queue: DispatchQueue,
        _ set: @escaping @Sendable (_ hops: Int, _ deadline: DispatchTime) -> Void
    ) -> HopParts {
        let (fired, last) = (DispatchSemaphore(value: 0), DispatchQueue(label: "last"))
        return HopParts(
            hold: { queue.suspend() },
            enqueue: { hops in
                let deadline = DispatchTime.now() + .milliseconds(1_000 + hops)
                set(hops, deadline)
                last.asyncAfter(deadline: deadline + .milliseconds(100)) { fired.signal() }
            },
            drain: {
                fired.wait()
                queue.resume()
                queue.sync {}
            }
        )
    }
}
