import Dispatch
import MultiIdentityTesting

@testable import MultiIdentity

extension BrokenBoundary {
    /// Boundaries that propagate the wrong thing.
    static let ofWrongCapture = [
        BrokenBoundary(
            "a loop that skips unset",
            breaks: ofUnset,
            mending: "unset travels too"
        ) { name in
            let loop = Loop()
            return BoundaryConformance(name) { work in
                let snapshot = IdentitySnapshot.capture()
                loop.enqueue { if snapshot.identity == nil { work() } else { snapshot.restore(work) } }
            }
            .running(on: loop.worker)
        },
        BrokenBoundary(
            "a loop that takes nobody for unset",
            breaks: ofNobody,
            mending: "nothing was restored where the work ran, or nobody"
        ) { name in
            let loop = Loop()
            return BoundaryConformance(name) { work in
                let snapshot = IdentitySnapshot.capture()
                let isNobody = snapshot.identity == .nobody
                loop.enqueue { snapshot.restore { if isNobody { withIdentity(nil) { work() } } else { work() } } }
            }
            .running(on: loop.worker)
        },
        BrokenBoundary(
            "a queue that carries Identity.current",
            breaks: [.carriesCustomLevels, .leavesOtherLevelsLive, .runsNothingAsTheRevoked],
            mending: "only a part travelled"
        ) { name in
            let queue = DispatchQueue(label: "current")
            return BoundaryConformance(name) { work in
                let identity = Identity.current
                queue.async { withIdentity(identity) { work() } }
            }
            .running(on: .reachable { queue.async(execute: $0) })
        },
        BrokenBoundary(
            "a queue that carries the effective identity",
            breaks: [.leavesOtherLevelsLive, .runsNothingAsTheRevoked],
            mending: "only a part travelled"
        ) { name in
            let queue = DispatchQueue(label: "effective")
            return BoundaryConformance(name) { work in
                let snapshot = IdentitySnapshot.capture()
                let identity = EffectiveIdentity.current(for: .files).identity
                queue.async { snapshot.restore { withIdentity(identity) { work() } } }
            }
            .running(on: .reachable { queue.async(execute: $0) })
        },
        BrokenBoundary(
            "a pool that captures when it is made",
            breaks: [.carriesAName, .carriesNobody, .capturesAtItsMoment],
            mending: "the capture was taken too early"
        ) { name in
            let queue = DispatchQueue(label: "early")
            return BoundaryConformance(name, capturedWhen: .handedOver) { work in
                let wrapped: BoundaryConformance.Work = IdentitySnapshot.capture().wrap(work)
                return { queue.async(execute: wrapped) }
            }
            .running(on: .reachable { queue.async(execute: $0) })
        },
        BrokenBoundary(
            "a pool with one capture for all",
            breaks: ofTheFirst.union([.releasesWhatHasRun]),
            mending: "another caller's capture"
        ) { name in
            let queue = DispatchQueue(label: "shared")
            let captured = Locked<IdentitySnapshot?>(nil)
            return BoundaryConformance(name) { work in
                let snapshot = captured.withLock { captured in
                    let first = captured ?? .capture()
                    captured = first
                    return first
                }
                queue.async { snapshot.restore(work) }
            }
            .running(on: .reachable { queue.async(execute: $0) })
            .within(.seconds(60), released: .milliseconds(50))
        },
        BrokenBoundary(
            "a pool that remembers who was last",
            breaks: [.carriesAName, .carriesNobody, .distinguishesCallers, .keepsEveryCapture, .releasesWhatHasRun],
            byChance: [.neverMixesCallers],
            mending: "another caller's capture"
        ) { name in
            let (queue, last) = (DispatchQueue(label: "last"), Locked<IdentitySnapshot>(.capture()))
            return BoundaryConformance(name) { work in
                last.withLock { $0 = .capture() }
                queue.async { last.withLock { $0 }.restore(work) }
            }
            .running(on: .reachable { queue.async(execute: $0) })
            .within(.seconds(60), released: .milliseconds(50))
        },
        BrokenBoundary(
            "a stream with a worker task that the first started",
            breaks: ofTheFirst.union([.releasesWhatHasRun, .reinstatesAfterReturn])
                .subtracting([.carriesIntoBlockingWork]),
            mending: "another caller's"
        ) { name in
            let (stream, jobs) = AsyncStream<BoundaryConformance.Work>.makeStream()
            let worker = Locked<Task<Void, Never>?>(nil)
            return BoundaryConformance(name) { work in
                worker.withLock { $0 = $0 ?? Task { for await job in stream { job() } } }
                jobs.yield(work)
            }
            .running(on: .reachable { jobs.yield($0) })
            .within(.seconds(60), released: .milliseconds(50))
        },
        BrokenBoundary(
            "one that binds the task-local alone",
            breaks: losing.union([.agreesWithTasks]).subtracting([.handsOnToTasks]),
            mending: "the identity is bound for the thread"
        ) { name in
            let queue = DispatchQueue(label: "task-local")
            return BoundaryConformance(name) { work in
                let snapshot = IdentitySnapshot.capture()
                queue.async { IdentitySnapshot.bound.withValue(snapshot) { work() } }
            }
            .running(on: .reachable { queue.async(execute: $0) })
        },
        BrokenBoundary(
            "one that binds the thread alone",
            breaks: [.agreesWithTasks, .handsOnToTasks, .carriesIntoBlockingWork, .runsNothingAsTheRevoked],
            mending: "the identity is bound for the thread"
        ) { name in
            let queue = DispatchQueue(label: "thread")
            return BoundaryConformance(name) { work in
                let snapshot = IdentitySnapshot.capture()
                queue.async {
                    let outer = ThreadMirror.show(ThreadMirror.bits(of: snapshot))
                    work()
                    _ = ThreadMirror.show(outer)
                }
            }
            .running(on: .reachable { queue.async(execute: $0) })
        },
        BrokenBoundary(
            "a pool that keeps captures in a ring",
            breaks: [.keepsEveryCapture],
            byChance: [.neverMixesCallers],
            mending: "a capture was overwritten"
        ) { name in
            Ring.boundary(name)
        },
        BrokenBoundary(
            "a pool that keeps captures in a ring, and is said to be bounded",
            breaks: [.keepsEveryCapture],
            byChance: [.neverMixesCallers],
            mending: "a capture was overwritten"
        ) { name in
            Ring.boundary(name).bounded(to: Ring.size)
        },
        BrokenBoundary(
            "a queue that carries the name",
            breaks: [.carriesActorAndVerification, .runsNothingAsTheRevoked],
            mending: "the identity was recreated"
        ) { name in
            let queue = IdentityQueue(label: "name")
            return BoundaryConformance(name) { work in
                guard let identity = Identity.current, !identity.isNobody else { return queue.async(execute: work) }
                queue.async { withIdentity(try? Identity(identity.name), work) }
            }
        },
        BrokenBoundary(
            "a queue that binds the identity again",
            breaks: [.runsNothingAsTheRevoked],
            mending: "the identity was bound again"
        ) { name in
            let queue = IdentityQueue(label: "again")
            return BoundaryConformance(name) { work in
                let identity = Identity.current
                queue.async { withIdentity(identity, work) }
            }
        },
    ]
}

/// Stores captures in a ring buffer of 64.
private enum Ring {
    static let size = 64

    static func boundary(_ name: String) -> BoundaryConformance {
        let (queue, ring) = (
            DispatchQueue(label: "ring"), Locked((next: 0, captures: [IdentitySnapshot?](repeating: nil, count: size)))
        )
        return BoundaryConformance(name) { work in
            let place = ring.withLock { ring in
                defer { ring.next = (ring.next + 1) % size }
                ring.captures[ring.next] = .capture()
                return ring.next
            }
            queue.async {
                let capture = ring.withLock { ring in
                    defer { ring.captures[place] = nil }
                    return ring.captures[place]
                }
                if let capture { capture.restore(work) } else { work() }
            }
        }
    }
}
