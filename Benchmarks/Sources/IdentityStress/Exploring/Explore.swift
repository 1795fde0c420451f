import ArgumentParser
import Dispatch
import Foundation
import ScheduleExploring

/// Runs random schedules beside a model of the rules.
struct Explore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs random schedules one step at a time, and checks each step against a model of the rules.",
        discussion: """
            A schedule is made from a seed: scopes, hand-overs, work items, groups, tasks, levels and operations of \
            several threads, in an order that only the seed decides. After each step the thread level, the levels in \
            force and both effective identities are checked at every worker; at the end nothing may be kept. A schedule \
            that breaks a rule is shrunk to a minimal one, and printed with the text that --replay takes.

            EXIT STATUS: 0 if all was right; 1 if a schedule broke a rule; 64 for wrong arguments; 65 for a schedule that \
            cannot be read or taken; 66 for a file that cannot be read.

            EXAMPLES:
              identity-stress explore --seeds 1000 --steps 200
              identity-stress explore --seeds 1 --seed 42 --trace
              echo 't1 bind #1; t1 async q1 w1; q1 run' | identity-stress explore --replay -
              identity-stress explore --sabotage operation
            """
    )

    @Option(parsing: .unconditional, help: "How many schedules are run.")
    var seeds = 100

    @Option(parsing: .unconditional, help: "How many steps a schedule has, without those that bring it to its end.")
    var steps = 100

    @Option(
        parsing: .unconditional,
        help: "The first seed; each next one is one more. (default: a random one, printed)"
    )
    var seed: UInt64?

    @Option(parsing: .unconditional, help: "How many threads take part from the start.")
    var workers = 3

    @Option(help: ArgumentHelp("Run the schedule in this file instead; - is standard input.", valueName: "file"))
    var replay: String?

    @Option(help: ArgumentHelp("Hand work over this boundary raw; a schedule has to find it.", valueName: "boundary"))
    var sabotage: String?

    @Flag(help: "Print what was found at every worker after each step. Always printed with --replay.")
    var trace = false

    func validate() throws {
        try Self.check(seeds, "--seeds", in: 1...1_000_000_000)
        try Self.check(steps, "--steps", in: 1...100_000)
        try Self.check(workers, "--workers", in: 1...64)
        if let sabotage, !ScheduledBoundaries.names.contains(sabotage) {
            let known = ScheduledBoundaries.names.joined(separator: ", ")
            throw ValidationError("--sabotage names no boundary: \"\(sabotage)\". There are: \(known).")
        }
        if replay != nil, seed != nil {
            throw ValidationError("--seed does not go with --replay, whose schedule is given.")
        }
    }

    func run() throws {
        let text = try replay.map { try Self.text(in: $0) }
        Task {
            let end = await outcome(replaying: text, from: seed ?? UInt64(UInt32.random(in: 0...(.max)))) { print($0) }
            if let error = end.error { StandardError.print("Error: \(error)") }
            Foundation.exit(end.status)
        }
        dispatchMain()
    }

    private static func check(_ value: Int, _ option: String, in range: ClosedRange<Int>) throws {
        if !range.contains(value) {
            let (lowest, highest) = (range.lowerBound, range.upperBound)
            throw ValidationError("\(option) is \(value); give a number from \(lowest) to \(highest).")
        }
    }

    private static func text(in path: String) throws -> String {
        let data =
            path == "-"
            ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: path)
        guard let data else {
            throw ExitCode(IdentityStress.complain("cannot read \(String(reflecting: path)); check the path", code: 66))
        }
        return String(decoding: data, as: UTF8.self)
    }
}
