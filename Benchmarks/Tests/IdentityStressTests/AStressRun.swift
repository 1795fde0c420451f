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

    @Test("over every boundary finds nothing wrong and loses nothing") func isRight() async {
        let report = await Stress(options()).report()
        #expect(report.isRight)
        #expect(report.hops == 3_000)
        #expect(report.mismatches.map(\.description) == [])
        #expect(report.boundaries.map(\.hops).reduce(0, +) == 3_000)
        #expect(report.boundaries.allSatisfy { $0.hops > 0 })
        #expect(report.languageBoundaries.allSatisfy { $0.hops > 0 })
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

    @Test("counts and names what is broken", arguments: ["queue.async", "queue.sync", "addOperation, of a closure"])
    func namesWhatIsBroken(_ name: String) async throws {
        var options = options(hops: 500)
        options.mix = BoundaryMix(names: [name, "queue.async, with a group"])
        options.sabotage = Sabotage(work: BoundaryCatalogue.place(of: name))
        let report = await Stress(options).report()
        #expect(!report.isRight)
        #expect(report.boundaries.filter { $0.wrong > 0 }.map(\.name) == [name])
        #expect(report.wrongIdentities == report.boundaries.map(\.wrong).reduce(0, +))
        let mismatch = try #require(report.mismatches.first)
        #expect(mismatch.boundary == name)
        #expect(mismatch.expected != mismatch.found)
        #expect(report.table.contains("FAILED: \(name): "))
    }

    @Test(
        "counts a worker that keeps the identity", arguments: ["queue.async", "any closure", "DispatchQueue.concurrentPerform"])
    func countsADirtyWorker(_ name: String) async {
        var options = options(hops: 500)
        options.mix = BoundaryMix(names: [name])
        options.sabotage = Sabotage(worker: BoundaryCatalogue.place(of: name))
        let report = await Stress(options).report()
        #expect(report.boundaries.first?.wrong ?? 0 > 0)
        #expect(report.mismatches.allSatisfy { $0.place == .worker })
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
