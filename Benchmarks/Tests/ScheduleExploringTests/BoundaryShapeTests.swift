import MultiIdentity
import Testing

@testable import ScheduleExploring

@Suite("Boundaries of each shape, along random schedules") struct BoundaryShapeTests {
    @Test("keep the rules among everything else", arguments: 0..<10 as Range<UInt64>)
    func hold(_ seed: UInt64) async throws {
        try await ScheduleExplorer(seed: seed, boundaries: BoundaryShapes.sound).run()
    }

    @Test("are all met")
    func areMet() throws {
        let boundaries = BoundaryShapes.sound
        let steps = try (0..<UInt64(10)).flatMap {
            try ScheduleExplorer(seed: $0, boundaries: boundaries).schedule().steps
        }
        let met = Set(steps.compactMap { step in if case .over(let name, _) = step.action { name } else { nil } })
        #expect(met.count == boundaries.count)
    }

    @Test("are found out where they carry nothing", arguments: BoundaryShapes.raw.indices)
    func areFoundOut(_ index: Int) async throws {
        let boundary = BoundaryShapes.raw[index]
        var failure: ExplorationFailure?
        for seed in 0..<UInt64(5) where failure == nil {
            do {
                try await ScheduleExplorer(seed: seed, boundaries: [boundary]).run()
            } catch {
                failure = error as? ExplorationFailure
            }
        }
        let found = try #require(failure)
        let shortest = Self.shortest[boundary.name, default: ["t1 bind #1; t1 over \(boundary.name) w1"]]
        #expect(shortest.contains("\(found.schedule)"), "\(found)")
    }

    /// The shortest failing schedules where another step lets the work run.
    static let shortest: [String: Set<String>] = [
        "timer": ["t1 bind #1; t1 over timer w1; t1 fire w1"],
        "event": ["t1 bind #1; t1 over event w1; t1 fire w1"],
        "batch": ["t1 over batch w1; t1 bind #1; t1 fire w1", "t1 bind #1; t1 over batch w1; t2 fire w1"],
    ]
}
