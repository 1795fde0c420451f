import ArgumentParser
import Foundation

/// The parent: runs processes that share one database of accounts through months in a minute, kills them at random, and judges.
@main
struct FleetStress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet-stress",
        abstract:
            "Runs a fleet of registries on one database while its processes are killed, and checks every timer and event.",
        subcommands: [Run.self, Leaving.self, Member.self, LeavingMember.self],
        defaultSubcommand: Run.self
    )
}

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "run", shouldDisplay: false)

    @Option(help: "How long it runs, in seconds.")
    var seconds = 60
    @Option(help: "The hours of the registries' time that a second is; fewer on a machine that has much else to do.")
    var hours: Int64 = 24
    @Option(help: "The number of processes.")
    var processes = 3
    @Option(help: "The number of accounts that are registered at once.")
    var accounts = 30
    @Option(help: "What the dice start with; another number each time, unless it is given.")
    var seed = UInt64.random(in: 0...999_999_999)
    @Option(help: "Breaks the run on purpose (early, twice, missed, unheard).")
    var sabotage = ""

    func run() async throws {
        let sabotage = try self.sabotage.isEmpty ? nil : known()
        print("seed \(seed)")
        // To a file it would come at the end, or not at all.
        fflush(nil)
        let fleet = try Fleet(processes: processes, accounts: accounts, hours: hours, seed: seed, sabotage: sabotage)
        let course = try await fleet.run(for: .seconds(seconds))
        let judge = FleetJudge(course, hours: hours)
        let findings = judge.findings()
        print(
            "\(seconds) s of \(hours) hours each, \(processes) processes, \(course.lives.count) lives, \(course.kills) kills"
        )
        print(
            "\(findings.requests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")) requests;",
            "\(findings.interrupted) were interrupted, and the latest was \(findings.latest / 3_600_000) h late"
        )
        print("\(findings.events) events, received \(findings.received) times; after \(findings.delays)")
        print(
            "\(findings.faults.count) requests early, missed or made twice, and events not received once and in order"
        )
        for line in findings.faults.prefix(10) { print("    \(line)") }
        let least = 10 * seconds * Int(hours) / 24
        let isEnough = findings.requests.values.reduce(0, +) > least && findings.events > least
        let held = findings.faults.isEmpty && isEnough
        print(held ? "All held." : "FAILED (seed \(seed))")
        if !held { throw ExitCode.failure }
    }

    private func known() throws -> FleetSabotage {
        guard let known = FleetSabotage(rawValue: sabotage) else {
            throw ValidationError("There is no sabotage \"\(sabotage)\".")
        }
        return known
    }
}

/// A way to break a run, which the judge has to notice.
enum FleetSabotage: String, CaseIterable, Sendable {
    /// A process asks the service besides its timers.
    case early
    /// A process asks while another one does.
    case twice
    /// Some accounts are never asked for, though the registry writes down that they were.
    case missed
    /// An event that came is not in the journal.
    case unheard
}
