import MultiIdentity
import MultiIdentityTesting

extension BrokenBoundary {
    /// Boundaries that run work too often, never or incompletely, or lose its results.
    static let ofRunning = [
        BrokenBoundary(
            "a queue that runs work twice",
            breaks: [.runsExactlyOnce, .distinguishesCallers],
            mending: "work was run more"
        ) { name in
            let queue = IdentityQueue(label: "twice")
            return BoundaryConformance(name) { work in
                queue.async(execute: work)
                queue.async(execute: work)
            }
        },
        BrokenBoundary(
            "a queue that runs nothing",
            breaks: running,
            mending: "the work did not run in time"
        ) { name in
            BoundaryConformance(name) { _ in }.within(.milliseconds(20))
        },
        BrokenBoundary(
            "a pool that forgets every third",
            breaks: running.subtracting([.releasesWhatHasRun, .runsNothingAsTheRevoked]),
            byChance: [.runsNothingAsTheRevoked],
            mending: "the work did not run in time"
        ) { name in
            let (queue, count) = (IdentityQueue(label: "forgets"), Locked(0))
            return BoundaryConformance(name) { work in
                let number = count.next()
                if number % 3 != 0 { queue.async(execute: work) }
            }
            .within(.seconds(1))
        },
        BrokenBoundary(
            "a queue that swallows errors",
            breaks: [.returnsResults],
            mending: "the boundary swallowed"
        ) { name in
            let queue = IdentityQueue(label: "swallows")
            return BoundaryConformance(name) { queue.sync(execute: $0) }
                .running(on: .callingThread)
                .returning { work in (try? queue.sync(execute: work)) ?? 0 }
        },
    ]

    /// Boundaries that keep what they should release, or run dropped work.
    static let ofReleasing = [
        BrokenBoundary(
            "a queue that keeps what has run",
            breaks: [.releasesWhatHasRun],
            mending: "the closure, or what was captured"
        ) { name in
            let (queue, history) = (IdentityQueue(label: "history"), Notes<BoundaryConformance.Work>())
            return BoundaryConformance(name) { work in
                history.add(work)
                queue.async(execute: work)
            }
            .within(.seconds(60), released: .milliseconds(50))
        },
        BrokenBoundary(
            "a queue that keeps captures",
            breaks: [.releasesWhatHasRun],
            mending: "the closure, or what was captured"
        ) { name in
            let (queue, history) = (IdentityQueue(label: "captures"), Notes<IdentitySnapshot>())
            return BoundaryConformance(name) { work in
                history.add(IdentitySnapshot.capture())
                queue.async(execute: work)
            }
            .within(.seconds(60), released: .milliseconds(50))
        },
        BrokenBoundary(
            "a pool that keeps what was cancelled",
            breaks: [.releasesWhatWasDropped],
            mending: "what was dropped or cancelled is still retained"
        ) { name in
            let (pool, cancelled) = (Pool(), Notes<BoundaryConformance.Work>())
            return pool.boundary(name)
                .dropping { cancelled.add($0) }
                .within(.seconds(60), released: .milliseconds(50))
        },
        BrokenBoundary(
            "a pool that runs what was cancelled",
            breaks: [.releasesWhatWasDropped],
            mending: "dropped work ran"
        ) { name in
            let pool = Pool()
            return pool.boundary(name).dropping { pool.submit($0) }
        },
    ]
}
