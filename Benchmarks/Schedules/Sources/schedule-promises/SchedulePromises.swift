import ArgumentParser
import Foundation
import MultiIdentity
import MultiIdentityScheduling
import Programs

@main
struct SchedulePromises: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule-promises",
        abstract: "Searches for a schedule under which a program breaks its promise.",
        discussion: """
            Standard error gets a line before each turn of a program and after each schedule, so that of a crash it is known where \
            it was. Exit status: 1 if a promise was broken.
            """,
        subcommands: [All.self, Rate.self],
        defaultSubcommand: All.self
    )

    struct All: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs all programs, and stops at the first that breaks its promise.",
            discussion: """
                Each has its turn again and again, under random schedules and by priorities, with more of them each time and another \
                seed.
                """
        )

        @Argument(help: "The number of schedules in all.")
        var limit = 10_000

        func run() async throws {
            let began = ContinuousClock.now
            var (count, seed) = (0, UInt64(0))
            while count < limit {
                seed += 1
                for promise in Promise.all {
                    let strategies: [ScheduleSettings.Strategy] = [
                        .random(seed: seed), .priorities(seed: seed, changes: 3),
                    ]
                    for strategy in strategies where count < limit {
                        let most = min(limit - count, 5 << Int(min(seed, 5)))
                        let report = try await explore(promise, strategy, atMost: most)
                        count += report.schedules
                        guard let failure = report.failure else { continue }
                        print("Schedule \(count) of all, \(failure.number + 1) of \(strategy): \(promise.name)")
                        for finding in failure.findings { print("  - \(finding)") }
                        print("Replay: MULTI_IDENTITY_SCHEDULE='\(failure.schedule)'")
                        throw ExitCode.failure
                    }
                }
            }
            let took = ContinuousClock.now - began
            print("\(count) schedules of \(Promise.all.count) programs broke no promise, in \(took).")
        }
    }

    struct Rate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Measures how many schedules run in a second.")

        func run() async throws {
            let began = ContinuousClock.now
            let report = try await exploreSchedules(ScheduleSettings(.random(seed: 1), schedules: 20_000)) {
                let lock = NSLock()
                handOver(submitters: 3, each: 3) {
                    lock.lock()
                    lock.unlock()
                }
            }
            let rate = Double(report.schedules) / ((ContinuousClock.now - began) / .seconds(1))
            print("\(Int(rate)) schedules a second, of up to \(report.steps) choices")
        }
    }
}

/// Runs schedules of one program, up to the first that breaks the promise.
private func explore(
    _ promise: Promise,
    _ strategy: ScheduleSettings.Strategy,
    atMost most: Int
) async throws -> ScheduleReport {
    var settings = ScheduleSettings(strategy, schedules: most)
    settings.shrinking = 0
    // Foundation starts operations that have waited for another one in the order of their addresses.
    settings.allowsDivergence = true
    IdentityRevocation.isOn = false
    say("\(strategy): \(promise.name)")
    let noted: @Sendable () -> [String] = {
        say(".")
        return []
    }
    return try await exploreSchedules(settings, failures: noted, promise.callAsFunction)
}

@Sendable private func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
