import Foundation
import MultiIdentity
import Testing

@testable import IdentityStress

@Suite("A run", .serialized) struct AStressRun {
    private func options(hops: Int = 3_000) -> StressOptions {
        var options = StressOptions(seed: 11)
        options.hops = hops
        options.identities = 40
        return options
    }

    @Test("ends after as many requests as its options say") func countsRequests() async {
        var options = options()
        options.hops = nil
        options.requests = 50
        let report = await Stress(options).report()
        #expect(report.isRight)
        #expect(report.requests == 50)
        #expect(report.hops == 50 * options.depth)
    }

    @Test("can end early, with the report so far") func endsEarly() async {
        var options = options()
        options.hops = nil
        options.seconds = 600
        let stress = Stress(options)
        stress.stop(.interrupted("SIGINT"))
        let report = await stress.report()
        #expect(report.endedBy == "SIGINT")
        #expect(report.isRight)
    }

    @Test("ends, and is not right, when work that was handed over never runs") func endsWhenStalled() async {
        var options = options(hops: 100)
        options.patience = 1
        let stress = Stress(options)
        takeSlot(of: stress)
        let report = await stress.report()
        stress.slots.signal()
        #expect(report.endedBy == "stalled")
        #expect(!report.isRight)
    }

    /// Like a request that never ends.
    private func takeSlot(of stress: Stress) { stress.slots.wait() }

    @Test("is reported to machines with these keys") func hasItsKeys() async throws {
        let report = await Stress(options(hops: 300)).report()
        let object = try #require(JSONSerialization.jsonObject(with: report.json()) as? [String: Any])
        let wanted: Set<String> = [
            "hops", "wrongIdentities", "seed", "boundaries", "languageBoundaries", "elapsedSeconds",
            "workloadHash", "requests", "endedBy", "mismatches",
        ]
        #expect(wanted.isSubset(of: object.keys))
        #expect(object["hops"] as? Int == 300)
        #expect(object["seed"] as? Int == 11)
        let boundaries = try #require(object["boundaries"] as? [[String: Any]])
        #expect(boundaries.count == BoundaryCatalogue.carried.count)
        for boundary in boundaries {
            let wanted: Set<String> = ["name", "hops", "wrong", "lost"]
            #expect(wanted.isSubset(of: boundary.keys))
        }
        let language = try #require(object["languageBoundaries"] as? [[String: Any]])
        #expect(language.count == BoundaryCatalogue.language.count)
    }
}

extension Stress {
    /// Runs and gives the report, without blocking the test's thread.
    func report() async -> Report {
        // Not a `Thread`, whose exit could be what releases this (`runRequests`).
        await withCheckedContinuation { done in
            DispatchQueue(label: "run").async { done.resume(returning: self.run()) }
        }
    }
}
