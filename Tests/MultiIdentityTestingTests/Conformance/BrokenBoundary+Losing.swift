import Dispatch
import Foundation
import MultiIdentityTesting

@testable import MultiIdentity

extension BrokenBoundary {
    /// Boundaries that lose the identity.
    static let ofNoCapture = [
        BrokenBoundary(
            "a plain queue",
            breaks: losing,
            mending: "nothing was restored"
        ) { name in
            let queue = DispatchQueue(label: "plain")
            return BoundaryConformance(name) { queue.async(execute: $0) }
                .running(on: .reachable { queue.async(execute: $0) })
        },
        BrokenBoundary(
            "a queue that captures in the closure",
            breaks: losing,
            mending: "nothing was restored"
        ) { name in
            let queue = DispatchQueue(label: "late")
            return BoundaryConformance(name) { work in
                queue.async { IdentitySnapshot.capture().restore(work) }
            }
            .running(on: .reachable { queue.async(execute: $0) })
        },
        BrokenBoundary(
            "a plain detached task",
            breaks: losing.union([.keepsItAcrossSuspension]).subtracting([.carriesIntoBlockingWork]),
            mending: "nothing was restored"
        ) { name in
            .asynchronous(name) { work in Task.detached { await work() } }
        },
        BrokenBoundary(
            "an item that captures each time it is performed",
            breaks: [
                .carriesAName, .carriesNobody, .capturesAtItsMoment, .carriesUnset, .keepsIdentityOnEachRun,
                .keepsEveryCapture, .runsNothingAsTheRevoked,
            ],
            mending: "the capture was taken too late"
        ) { name in
            BoundaryConformance(name, capturedWhen: .created) { work in
                { IdentitySnapshot.capture().restore(work) }
            }
            .running(on: .callingThread).reusable().reentrant()
        },
        BrokenBoundary(
            "a timer that keeps its identity for the first time only",
            breaks: [.keepsIdentityOnEachRun],
            mending: "nothing was restored"
        ) { name in
            BoundaryConformance(name, capturedWhen: .registered) { work in
                let captured = Locked<IdentitySnapshot?>(IdentitySnapshot.capture())
                return {
                    let snapshot = captured.take()
                    Thread.detachNewThread { if let snapshot { snapshot.restore(work) } else { work() } }
                }
            }
            .reusable()
        },
        BrokenBoundary(
            "a loop that captures when it is drained",
            breaks: losing.union([.carriesUnset]),
            mending: "the capture was taken too late"
        ) { name in
            let loop = Loop()
            return BoundaryConformance(name) { work in
                loop.enqueue { IdentitySnapshot.capture().restore(work) }
            }
            .running(on: loop.worker)
        },
    ]
}
