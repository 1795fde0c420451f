import Dispatch
import Foundation
import MultiIdentityScheduling
import Programs
import Testing

@Suite("Each order of steps that do not commute", .serialized)
struct EveryOrderTests {
    @Test(
        "runs once: as many schedules as a model has normal forms",
        arguments: [(1, 1, 1), (2, 1, 4), (1, 3, 1), (2, 2, 8), (3, 1, 36)]
    )
    func count(_ submitters: Int, _ handOvers: Int, _ expected: Int) async throws {
        let model = OrderModel(submitters: submitters, handOvers: handOvers, workers: 2)
        #expect(model.normalForms() == expected)
        let report = try await exploreSchedules(ScheduleSettings(.everyOrder, schedules: 100_000, workers: 2)) {
            handOver(submitters: submitters, each: handOvers)
        }
        #expect(report.isComplete)
        #expect(report.schedules == expected)
        #expect("\(report)".hasPrefix("complete: \(expected) schedules"))
    }

    @Test("is one schedule where all steps commute")
    func commuting() async throws {
        let report = try await exploreSchedules(ScheduleSettings(.everyOrder, schedules: 100_000)) {
            handOver(submitters: 2, each: 2)
        }
        #expect("\(report)".hasPrefix("complete: 1 schedules"))
    }

    @Test("has all outcomes of random programs")
    func outcomes() async throws {
        let count = ProcessInfo.processInfo.environment["MULTI_IDENTITY_SCHEDULE_PROGRAMS"].flatMap { UInt64($0) } ?? 20
        var (reduced, wholly, schedules) = (0, 0, 0)
        for seed in 1...count {
            let program = RandomProgram(seed: seed)
            let (outcomes, report) = try await outcomes(of: program, .everyOrder, atMost: 2_000)
            guard report.isComplete else { continue }
            var (others, all) = try await self.outcomes(of: program, .exhaustive, atMost: 500)
            if !all.isComplete {
                (others, all) = try await self.outcomes(of: program, .random(seed: seed), atMost: 500)
            }
            #expect(others.isSubset(of: outcomes), "seed \(seed)")
            reduced += 1
            wholly += all.isComplete ? 1 : 0
            schedules += report.schedules + report.redundant
        }
        print(
            "\(reduced) of \(count) programs by \(schedules) schedules: \(wholly) have no other outcome in all schedules,"
        )
        print("the others none in 500")
        #expect(reduced > count / 2)
    }

    private func outcomes(
        of program: RandomProgram,
        _ strategy: ScheduleSettings.Strategy,
        atMost count: Int
    ) async throws -> (Set<[[Int]]>, ScheduleReport) {
        let (runs, seen) = (Log<RandomProgram.Run>(), Log<[[Int]]>())
        let settings = ScheduleSettings(strategy, schedules: count, workers: program.workers)
        let report = try await exploreSchedules(
            settings,
            failures: {
                if let run = runs.all.last { seen.add(run.outcome) }
                return []
            }
        ) {
            let run = RandomProgram.Run()
            runs.add(run)
            program.run(run)
        }
        #expect(report.failure == nil)
        return (Set(seen.all), report)
    }
}
