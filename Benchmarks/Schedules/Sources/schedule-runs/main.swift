import Dispatch
import GRDB
import LibraryPrograms
import MultiIdentityScheduling
import Programs

// Usage: schedule-runs hashes SEEDS    runs each program once for each seed from 1 on, and prints the seed and the number that
//                                      stands for its steps
//        schedule-runs speed COUNT     runs so many schedules of three that hand over three pieces each, and prints how many
//                                      that is a second
//        schedule-runs orders COUNT    runs COUNT that hand over COUNT pieces each in every order of steps that do not commute
let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let count = arguments.last.flatMap({ Int($0) }), count > 0 else {
    fatalError("It takes \"hashes\", \"speed\" or \"orders\", and a number.")
}

/// Runs a program, and stops at a schedule with something wrong.
func run(
    _ settings: ScheduleSettings,
    _ body: @escaping @Sendable () async throws -> Void
) async throws -> ScheduleReport {
    let report = try await exploreSchedules(settings, body)
    if let failure = report.failure { fatalError("\(failure)") }
    return report
}

switch arguments.first {
case "hashes":
    let programs: [(name: String, body: @Sendable () async throws -> Void)] = [
        ("several-users", handOverForSeveral),
        (
            "grdb",
            {
                _ = try await balance(of: DatabaseQueue()) { database in
                    try database.write { try $0.execute(sql: "UPDATE account SET balance = balance - 10") }
                }
            }
        ),
        ("opencombine", { _ = try await receiveOnTwoQueues() }),
    ]
    for (name, body) in programs {
        for seed in 1...count {
            let report = try await run(ScheduleSettings(.random(seed: UInt64(seed)), schedules: 1), body)
            print(name, seed, String(report.hash, radix: 16))
        }
    }
case "orders":
    print(
        try await run(ScheduleSettings(.everyOrder, schedules: .max, workers: 2)) {
            handOver(submitters: count, each: count)
        }
    )
default:
    let began = ContinuousClock.now
    let report = try await run(ScheduleSettings(.random(seed: 1), schedules: count, workers: 2)) {
        handOver(submitters: 3, each: 3)
    }
    let rate = Int(Double(report.schedules) / ((ContinuousClock.now - began) / .seconds(1)))
    print("\(report.schedules) schedules, \(report.pieces) pieces, \(report.steps) choices at most: \(rate) a second")
}
