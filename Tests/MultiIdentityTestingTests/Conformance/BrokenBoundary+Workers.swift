import Dispatch
import MultiIdentityTesting

@testable import MultiIdentity

extension BrokenBoundary {
    /// Boundaries that leave a wrong identity on a worker or a caller.
    static let ofWorkers = [
        BrokenBoundary(
            "a pool that drains in the first one's scope",
            breaks: [.reinstatesAfterReturn, .reinstatesAfterThrow],
            mending: "the identity outlived"
        ) { name in
            Pool { job, pool in
                guard let captured = job.captured else { return Pool.runScoped(job) }
                captured.restore {
                    try? job.work()
                    while let next = pool.next() { Pool.runScoped(next) }
                }
            }
            .boundary(name)
        },
        BrokenBoundary(
            "a pool that goes on inside the scope after an error",
            breaks: [.reinstatesAfterThrow],
            mending: "the identity outlived"
        ) { name in
            Pool { job, pool in
                guard let captured = job.captured else { return Pool.runScoped(job) }
                captured.restore {
                    do { try job.work() } catch { while let next = pool.next() { Pool.runScoped(next) } }
                }
            }
            .boundary(name)
        },
        BrokenBoundary(
            "a loop that clears instead of reinstating",
            breaks: [.reinstatesAfterReturn],
            mending: "the identity outlived"
        ) { name in
            let loop = Loop()
            return BoundaryConformance(name) { work in
                loop.enqueue(IdentitySnapshot.capture().wrap(work))
            }
            .running(on: .drained(plain: { loop.enqueue($0) }, { withIdentity(nil) { loop.drain() } }))
        },
        BrokenBoundary(
            "one that leaves its caller's thread bound",
            breaks: [.leavesItsCallerAlone],
            mending: "the call left something bound"
        ) { name in
            let queue = IdentityQueue(label: "callers")
            return BoundaryConformance(name) { work in
                queue.async(execute: work)
                _ = ThreadMirror.show(0)
            }
        },
    ]
}
