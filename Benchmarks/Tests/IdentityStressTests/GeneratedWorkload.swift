import MultiIdentity
import Testing

@testable import IdentityStress

@Suite("A generated workload") struct GeneratedWorkload {
    private func intake(seed: UInt64, hops: Int = 2_000, depth: Int = 8) -> Intake {
        var options = StressOptions(seed: seed)
        options.hops = hops
        options.depth = depth
        options.identities = 50
        return Intake(options)
    }

    /// All requests of all segments.
    private func requests(of intake: inout Intake) -> [(number: Int, call: Call, steps: [Step])] {
        var requests: [(number: Int, call: Call, steps: [Step])] = []
        while let request = intake.next() { requests.append(request) }
        return requests
    }

    @Test("is the same for the same seed") func repeats() {
        var one = intake(seed: 7)
        var other = intake(seed: 7)
        let requests = requests(of: &one)
        let others = self.requests(of: &other)
        #expect(requests.map(\.steps) == others.map(\.steps))
        #expect(requests.map { $0.call.identity?.name } == others.map { $0.call.identity?.name })
        #expect(requests.map(\.call.levels) == others.map(\.call.levels))
        #expect(one.workloadHash == other.workloadHash)
    }

    @Test("has exactly as many hops as were asked for", arguments: [1, 7, 8, 9, 2_001])
    func endsAtItsHops(_ hops: Int) {
        var intake = intake(seed: 1, hops: hops)
        let carried = requests(of: &intake).flatMap(\.steps).count { BoundaryCatalogue.isCarried(Int($0.boundary)) }
        #expect(carried == hops)
        #expect(intake.end == .hops)
    }

    @Test("gives every boundary at least half of an even share of the hops") func sharesFairly() {
        var intake = intake(seed: 3, hops: 20_000)
        let steps = requests(of: &intake).flatMap(\.steps)
        let least = 20_000 / BoundaryCatalogue.carried.count / 2
        for place in BoundaryCatalogue.carried.indices {
            let count = steps.count { Int($0.boundary) == place }
            #expect(count >= least, "\(BoundaryCatalogue.all[place].name)")
        }
    }

    @Test("has requests of users, of nobody and of no one, with and without custom levels") func mixesCallers() {
        let calls = GeneratedCalls(seed: 2, identities: 50)
        let all = (0..<400).map { calls.call($0) }
        #expect(all.contains { $0.identity == nil })
        #expect(all.contains { $0.identity == .nobody })
        #expect(all.contains { $0.identity?.isNobody == false })
        #expect(Set(all.map(\.levels)).count == LevelsChoice.all.count + 1)
    }
}
