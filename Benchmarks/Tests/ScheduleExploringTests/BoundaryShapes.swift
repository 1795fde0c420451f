import Dispatch
import Foundation
import MultiIdentity
import Synchronization

@testable import ScheduleExploring

/// Boundaries of each shape, sound and broken.
enum BoundaryShapes: Sendable {
    /// One of each shape.
    static var sound: [ExploredBoundary] { boundaries { IdentitySnapshot.capture().wrap($0) } }

    /// The same, with nothing carried; without the one that needs to carry nothing, since it runs work where it is called.
    static var raw: [ExploredBoundary] { boundaries { $0 }.filter { $0.name != "call" } }

    private static func boundaries(
        _ carry: @escaping @Sendable (@escaping ExploredBoundary.Work) -> ExploredBoundary.Work
    ) -> [ExploredBoundary] {
        // A worker each: what one of them runs does not keep another waiting.
        let pool = DispatchQueue(label: "shapes.pool")
        let timers = DispatchQueue(label: "shapes.timers")
        let batch = Batch()
        return [
            ExploredBoundary("pool") { work in pool.async(execute: carry(work)) },
            ExploredBoundary("call", BoundaryTraits(isAwaited: true), .synchronous { work in { carry(work)() } }),
            ExploredBoundary(
                "awaited",
                BoundaryTraits(isAwaited: true),
                .synchronous { work in
                    {
                        let work = carry(work)
                        let done = DispatchSemaphore(value: 0)
                        Thread.detachNewThread {
                            work()
                            done.signal()
                        }
                        done.wait()
                    }
                }
            ),
            ExploredBoundary(
                "timer",
                BoundaryTraits(isPrepared: true, isReusable: true),
                .synchronous { work in
                    let work = carry(work)
                    return { timers.async(execute: work) }
                }
            ),
            ExploredBoundary(
                "event",
                BoundaryTraits(isPrepared: true),
                .synchronous { work in
                    let work = carry(work)
                    return { timers.async(execute: work) }
                }
            ),
            ExploredBoundary(
                "batch",
                BoundaryTraits(isDrained: true, isAwaited: true),
                .synchronous { work in { batch.add(carry(work)) } },
                drain: { batch.flush() }
            ),
            ExploredBoundary(
                "service",
                BoundaryTraits(isAsync: true),
                .asynchronous { work in
                    {
                        let snapshot = IdentitySnapshot.capture()
                        let isCarried = carries(carry)
                        Task.detached { if isCarried { await snapshot.restore { await work() } } else { await work() } }
                    }
                }
            ),
        ]
    }

    /// True if `carry` carries.
    private static func carries(_ carry: (@escaping ExploredBoundary.Work) -> ExploredBoundary.Work) -> Bool {
        let found = Mutex<Identity?>(nil)
        withIdentity(.nobody) { carry { found.withLock { $0 = .current } } }()
        return found.withLock { $0 } == .nobody
    }

    /// Work that runs when somebody flushes it.
    private final class Batch: Sendable {
        private let work = Mutex<[ExploredBoundary.Work]>([])

        func add(_ work: @escaping ExploredBoundary.Work) { self.work.withLock { $0.append(work) } }

        func flush() {
            let work = self.work.withLock { work in
                defer { work = [] }
                return work
            }
            for run in work { run() }
        }
    }
}
