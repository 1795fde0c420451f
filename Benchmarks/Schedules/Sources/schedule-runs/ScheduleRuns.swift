import ArgumentParser
import Dispatch
import GRDB
import LibraryPrograms
import MultiIdentityScheduling
import Programs

@main
struct ScheduleRuns: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule-runs",
        abstract: "Runs programs under schedules, and prints what they came to.",
        subcommands: [Hashes.self, Speed.self, Orders.self]
    )

    /// A number of something, of which there is one at least.
    struct Count: ExpressibleByArgument {
        let value: Int

        init?(argument: String) {
            guard let value = Int(argument), value > 0 else { return nil }
            self.value = value
        }
    }

    struct Hashes: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs each program once for each seed, and prints the seed and the number for its steps."
        )

        @Argument(help: "The number of seeds, from 1 on.")
        var seeds: Count

        func run() async throws {
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
                for seed in 1...seeds.value {
                    let report = try await explore(ScheduleSettings(.random(seed: UInt64(seed)), schedules: 1), body)
                    print(name, seed, String(report.hash, radix: 16))
                }
            }
        }
    }

    struct Speed: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs schedules of three that hand over three pieces each, and prints the number a second."
        )

        @Argument(help: "The number of schedules.")
        var schedules: Count

        func run() async throws {
            let began = ContinuousClock.now
            let settings = ScheduleSettings(.random(seed: 1), schedules: schedules.value, workers: 2)
            let report = try await explore(settings) { handOver(submitters: 3, each: 3) }
            let rate = Int(Double(report.schedules) / ((ContinuousClock.now - began) / .seconds(1)))
            print(
                "\(report.schedules) schedules, \(report.pieces) pieces, \(report.steps) choices at most: \(rate) a second"
            )
        }
    }

    struct Orders: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs each order of the steps that do not commute, of so many that hand over as many pieces each."
        )

        @Argument(help: "The number of those that hand over.")
        var submitters: Count

        func run() async throws {
            let count = submitters.value
            let settings = ScheduleSettings(.everyOrder, schedules: .max, workers: 2)
            print(try await explore(settings) { handOver(submitters: count, each: count) })
        }
    }
}

/// Runs a program, and stops at a schedule with something wrong.
private func explore(
    _ settings: ScheduleSettings,
    _ body: @escaping @Sendable () async throws -> Void
) async throws -> ScheduleReport {
    let report = try await exploreSchedules(settings, body)
    if let failure = report.failure { fatalError("\(failure)") }
    return report
}
