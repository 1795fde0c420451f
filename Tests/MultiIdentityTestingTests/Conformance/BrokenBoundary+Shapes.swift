import MultiIdentity
import MultiIdentityTesting

extension BrokenBoundary {
    /// Boundaries with a closure, or a sequence, that other code requests later.
    static let ofShapes = [
        BrokenBoundary(
            "a framework that calls what the handler gave back as itself",
            breaks: [.carriesAName, .carriesNobody, .carriesUnset, .capturesAtItsMoment, .keepsEveryCapture],
            mending: "the capture was taken too late"
        ) { name in
            .afterHandler(name) { identity, handler in
                let body = await withIdentity(identity) { await handler() }
                await body()
            }
        },
        BrokenBoundary(
            "an upstream of its first consumer",
            breaks: [
                .carriesAName, .carriesNobody, .carriesUnset, .capturesAtItsMoment, .keepsIdentityOnEachRun,
                .keepsEveryCapture, .runsNothingAsTheRevoked,
            ],
            mending: "the capture was taken too late"
        ) { name in
            .upstream(name) { upstream in
                let share = FirstComeShare(upstream)
                return { await share.next() }
            }
        },
    ]
}
