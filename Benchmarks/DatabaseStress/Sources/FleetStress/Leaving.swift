import ArgumentParser
import DatabaseServers
import Foundation
import JobQueue
import PostgreSQLAccounts
import PostgreSQLJobs

/// The parent of a second run: processes work for many users; one after the other leaves, and nothing of theirs may happen after
/// that is acknowledged.
struct Leaving: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Has users leave a fleet that works for them, and looks for effects after each acknowledgement."
    )

    @Option(help: "The number of users who leave.")
    var trials = 1_000
    @Option(help: "The number of processes.")
    var processes = 3
    @Option(help: "The pause of each of six tasks in a process after each piece of work, in milliseconds.")
    var pause = 5
    @Option(help: "What the dice start with; another number each time, unless it is given.")
    var seed = UInt64.random(in: 0...999_999_999)
    @Option(help: "Breaks the run on purpose.")
    var sabotage: LeavingSabotage?

    /// The number of users who leave between a user's leaving and their wipe: what jobs they left comes due meanwhile.
    private static let untilWipe = 8

    func run() async throws {
        print("seed \(seed)")
        fflush(nil)
        var dice = SeededGenerator(seed: seed)
        let servers = try DatabaseServers(
            schema: [PostgreSQLAccountStore.schema, JobQueue.postgreSQLSchema].joined(separator: "\n")
        )
        defer { servers.stop() }
        let members = try (0..<processes).map { number in try start(number, servers) }
        for member in members { _ = try member.line("ready") }
        let rows = try await LeavingRows(servers.url("owner", through: .database))
        defer { rows.close() }
        var findings = LeavingFindings()
        for user in 0..<trials {
            for member in members { member.tell("next \(user)") }
            let leaver = dice.below(processes)
            let wiper = members[(leaver + 1) % processes]
            // At the same time, if there are two processes.
            if user >= Self.untilWipe { wiper.tell("wipe \(user - Self.untilWipe)") }
            members[leaver].tell("leave \(user)")
            if user >= Self.untilWipe { findings.wiped(user - Self.untilWipe, putAside: try putAside(wiper)) }
            let words = try members[leaver].line("acknowledged").compactMap { Int64($0) }
            findings.acknowledged(user, begun: words[0], at: words[1], isSettled: words[2] != 0)
            findings.notes[user] = try await rows.notes(of: user)
        }
        // All have left: what is open is refused once it is due.
        let open = try await rows.openJobs(within: .seconds(30))
        for user in max(0, trials - Self.untilWipe)..<trials {
            let wiper = members[dice.below(processes)]
            wiper.tell("wipe \(user)")
            findings.wiped(user, putAside: try putAside(wiper))
        }
        for (number, member) in members.enumerated() {
            member.tell("dump")
            while case let words = try member.line("last", "end").compactMap({ Int64($0) }), words.count == 2 {
                findings.worked(for: Int(words[0]), at: words[1], in: number)
            }
        }
        let (notes, byJobs) = try await rows.notes()
        findings.wrote(notes)
        findings.hasJobs(try await rows.ownersOfJobs(), open: open)
        for member in members { member.end() }
        let written = notes.values.reduce(0, +)
        print(
            "\(trials) users left \(processes) processes, which had \(written) rows written and \(findings.seen) users seen at work"
        )
        print(
            "\(byJobs) of the rows were jobs', and \(findings.putAside) jobs were put aside since their owners had left"
        )
        print("acknowledged after \(findings.times); \(findings.unsettled) were not")
        print("\(findings.late.count) effects after an acknowledgement, and jobs that were left")
        for line in findings.late.prefix(10) { print("    \(line)") }
        // Not the times, which depend on what else the machine does.
        let isEnough = written > trials && byJobs > trials / 20 && findings.putAside > trials / 20
        if !isEnough { print("Too little was done for that to say anything.") }
        let held = findings.late.isEmpty && findings.unsettled == 0 && isEnough
        print(held ? "All held." : "FAILED (seed \(seed))")
        if !held { throw ExitCode.failure }
    }

    private func start(_ number: Int, _ servers: DatabaseServers) throws -> LeavingProcess {
        try LeavingProcess(
            [
                "leaving-member", "--url", servers.url("account_registry", through: .database), "--data",
                servers.url(through: .database), "--workers", servers.url("job_worker", through: .database), "--users",
                "\(trials)", "--number", "\(number)", "--seed", "\(seed &+ UInt64(number) &* 7_919)", "--pause",
                "\(pause)",
            ] + (sabotage.map { ["--sabotage", $0.rawValue] } ?? [])
        )
    }

    private func putAside(_ wiper: LeavingProcess) throws -> Int? { try wiper.line("wiped").first.flatMap { Int($0) } }
}
