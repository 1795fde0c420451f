import MultiIdentity
import Testing

@testable import IdentityStress

@Suite("A generated workload") struct GeneratedWorkload {
    private func intake(seed: UInt64, hops: Int = 2_000, depth: Int = 8) -> Intake {
        var options = StressOptions(seed: seed)
        options.hops = hops
        options.depth = depth
        return Intake(source: GeneratedCalls(seed: seed, identities: 50), options: options)
    }

    /// All requests of all segments.
    private func requests(of intake: inout Intake) throws -> [(number: Int, call: Call, steps: [Step])] {
        var requests: [(number: Int, call: Call, steps: [Step])] = []
        while intake.end == nil {
            while let request = try intake.next() { requests.append(request) }
            intake.segment.begin(from: intake.plannedHops)
        }
        return requests
    }

    @Test("is the same for the same seed") func repeats() throws {
        var one = intake(seed: 7)
        var other = intake(seed: 7)
        let requests = try requests(of: &one)
        let others = try self.requests(of: &other)
        #expect(requests.map(\.steps) == others.map(\.steps))
        #expect(requests.map { $0.call.identity?.name } == others.map { $0.call.identity?.name })
        #expect(requests.map(\.call.levels) == others.map(\.call.levels))
        #expect(one.workloadHash == other.workloadHash)
    }

    @Test("differs for another seed") func differs() throws {
        var one = intake(seed: 7)
        var other = intake(seed: 8)
        #expect(try requests(of: &one).map(\.steps) != requests(of: &other).map(\.steps))
        #expect(one.workloadHash != other.workloadHash)
    }

    @Test("has exactly as many hops as were asked for", arguments: [1, 7, 8, 9, 2_001])
    func endsAtItsHops(_ hops: Int) throws {
        var intake = intake(seed: 1, hops: hops)
        let carried = try requests(of: &intake).flatMap(\.steps).count { BoundaryCatalogue.isCarried(Int($0.boundary)) }
        #expect(carried == hops)
        #expect(intake.end == .hops)
    }

    @Test("gives every boundary at least half of an even share of the hops") func sharesFairly() throws {
        var intake = intake(seed: 3, hops: 20_000)
        let steps = try requests(of: &intake).flatMap(\.steps)
        let least = 20_000 / BoundaryCatalogue.carried.count / 2
        for place in BoundaryCatalogue.carried.indices {
            let count = steps.count { Int($0.boundary) == place }
            #expect(count >= least, "\(BoundaryCatalogue.all[place].name)")
        }
    }

    @Test("crosses only the boundaries of its mix") func keepsToItsMix() {
        let mix = BoundaryMix(names: ["queue.sync", "Task { }", "DispatchWorkItem, dispatched"])
        let names = Set(Step.chain(seed: 5, depth: 200, mix: mix).map { BoundaryCatalogue.all[Int($0.boundary)].name })
        #expect(names == ["queue.sync", "Task { }", "DispatchWorkItem, dispatched"])
    }

    @Test("has requests of users, of nobody and of no one, with and without levels of their own") func mixesCallers()
        throws
    {
        let calls = GeneratedCalls(seed: 2, identities: 50)
        let all = try (0..<400).compactMap { try calls.next($0) }
        #expect(all.contains { $0.identity == nil })
        #expect(all.contains { $0.identity == .nobody })
        #expect(all.contains { $0.identity?.isNobody == false })
        #expect(Set(all.map(\.levels)).count == LevelsChoice.all.count + 1)
    }

    @Test("spells each account in three ways that are one identity", arguments: 0..<8) func spells(_ number: Int) throws
    {
        let names = (0..<Account.spellingCount).map { Account(number: number).name(spelling: $0) }
        let identities = try names.map { try Identity($0) }
        #expect(Set(identities).count == 1)
        #expect(Set(names.map { Array($0.utf8) }).count >= 2)
    }

    @Test("tells accounts apart") func tellsAccountsApart() throws {
        let identities = try (0..<1_000).map { try Identity(Account(number: $0).name(spelling: $0 % 3)) }
        #expect(Set(identities).count == 1_000)
    }

    @Test("has all nine sets of levels") func hasAllLevels() {
        #expect(LevelsChoice.all.count == 9)
        #expect(Set(LevelsChoice.all.map { [$0.process, $0.ui] }).count == 9)
    }
}

@Suite("The hash of a workload") struct HashOfAWorkload {
    @Test(
        "is FNV-1a",
        arguments: [("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8)]
    )
    func isFNV1a(_ text: String, _ expected: UInt64) {
        var hash = FNV1a()
        for byte in text.utf8 { hash.combine(byte) }
        #expect(hash.value == expected)
    }
}
