import Foundation
import MultiIdentity
import MultiIdentityScheduling
import Programs

// Usage: schedule-promises [LIMIT]          runs the programs under random and prioritised schedules, LIMIT of them in all (10000),
//                                           and stops at the first that breaks a promise
//        schedule-promises share PROMISE    runs that program under 100 random schedules, and counts those that break it
//
// Each program has its turn again and again, with more schedules each time and another seed. Standard error gets a line before
// each turn and after each schedule, so that of a crash it is known where it was. Exit status: 1 if a promise was broken.
let arguments = CommandLine.arguments.dropFirst()
let share = arguments.first == "share" ? Promise.all.first { $0.name == arguments.last } : nil
let limit = arguments.first.flatMap { Int($0) } ?? 10_000

@Sendable func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

/// Runs schedules of one program, up to the first that breaks the promise.
func explore(
    _ promise: Promise,
    _ strategy: ScheduleSettings.Strategy,
    atMost most: Int
) async throws -> ScheduleReport {
    var settings = ScheduleSettings(strategy, schedules: most)
    settings.shrinking = 0
    IdentityRevocation.isOn = false
    say("\(strategy): \(promise.name)")
    let noted: @Sendable () -> [String] = {
        say(".")
        return []
    }
    return try await exploreSchedules(settings, failures: noted, promise.callAsFunction)
}

if let share {
    var broken = 0
    for seed in 1...100 where try await explore(share, .random(seed: UInt64(seed)), atMost: 1).failure != nil {
        broken += 1
    }
    print("\(broken) of 100 schedules break the promise: \(share.name)")
    exit(broken > 0 ? 1 : 0)
}

let began = ContinuousClock.now
var (count, seed) = (0, UInt64(0))
while count < limit {
    seed += 1
    for promise in Promise.all {
        let strategies: [ScheduleSettings.Strategy] = [.random(seed: seed), .priorities(seed: seed, changes: 3)]
        for strategy in strategies where count < limit {
            let report = try await explore(promise, strategy, atMost: min(limit - count, 5 << Int(min(seed, 5))))
            count += report.schedules
            guard let failure = report.failure else { continue }
            print("Schedule \(count) of all, \(failure.number + 1) of \(strategy): \(promise.name)")
            for finding in failure.findings { print("  - \(finding)") }
            print("Replay: MULTI_IDENTITY_SCHEDULE='\(failure.schedule)'")
            exit(1)
        }
    }
}
print("\(count) schedules of \(Promise.all.count) programs broke no promise, in \(ContinuousClock.now - began).")
