import Foundation
import MultiIdentity
import MultiIdentityScheduling
import Programs

// Usage: schedule-promises [LIMIT]    runs the programs under random and prioritised schedules, LIMIT of them in all (10000), and
//                                     stops at the first that breaks a promise
//        schedule-promises WORD       runs those alone whose promise has the word
//
// Each program has its turn again and again, with more schedules each time and another seed. Standard error gets a line before
// each turn and after each schedule, so that of a crash it is known where it was. Exit status: 1 if a promise was broken.
let argument = CommandLine.arguments.dropFirst().first ?? "10000"
let limit = Int(argument) ?? 10_000
let promises = Int(argument) == nil ? Promise.all.filter { $0.name.contains(argument) } : Promise.all

@Sendable func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

/// Runs schedules of one program, and ends the process with one that breaks the promise.
func explore(_ promise: Promise, _ strategy: ScheduleSettings.Strategy, atMost most: Int, after before: Int)
    async throws -> Int
{
    var settings = ScheduleSettings(strategy, schedules: most)
    settings.shrinking = 0
    IdentityRevocation.isOn = false
    say("\(strategy): \(promise.name)")
    let noted: @Sendable () -> [String] = {
        say(".")
        return []
    }
    let report = try await exploreSchedules(settings, failures: noted, promise.callAsFunction)
    guard let failure = report.failure else { return report.schedules }
    print("Schedule \(before + report.schedules) of all, \(failure.number + 1) of \(strategy): \(promise.name)")
    for finding in failure.findings { print("  - \(finding)") }
    if CommandLine.arguments.contains("--timeline") { print(failure.timeline) }
    print("Replay: MULTI_IDENTITY_SCHEDULE='\(failure.schedule)'")
    exit(1)
}

let began = ContinuousClock.now
var (count, seed) = (0, UInt64(0))
while count < limit, !promises.isEmpty {
    seed += 1
    for promise in promises {
        for strategy in [ScheduleSettings.Strategy.random(seed: seed), .priorities(seed: seed, changes: 3)]
        where count < limit {
            let most = min(limit - count, 5 << Int(min(seed, 5)))
            count += try await explore(promise, strategy, atMost: most, after: count)
        }
    }
}
print("\(count) schedules of \(promises.count) programs broke no promise, in \(ContinuousClock.now - began).")
