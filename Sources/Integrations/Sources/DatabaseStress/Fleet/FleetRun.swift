import DatabaseServers
import Foundation
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLAccounts

/// The parent: runs processes that share one database of accounts through months in a minute, kills them at random, and judges.
struct FleetRun {
    /// A way to break a run, which the judge has to notice.
    enum Sabotage: String, CaseIterable, Sendable {
        /// A process asks the service besides its timers.
        case early
        /// A process asks while another one does.
        case twice
        /// Some accounts are never asked for, though the registry writes down that they were.
        case missed
        /// An event that came is not in the journal.
        case unheard
    }

    private let seconds: Int
    /// The hours of the registries' time that a second is; fewer on a machine that has much else to do.
    private let hours: Int64
    private let seed: UInt64
    private let sabotage: Sabotage?

    init(_ options: Options) throws {
        seconds = try options.number("seconds", or: 60)
        hours = try options.number("hours", or: 24)
        seed = try options.seed()
        sabotage = try options.sabotage()
    }

    func run() async throws {
        say("seed \(seed)")
        let fleet = try Fleet(hours: hours, seed: seed, sabotage: sabotage)
        let course = try await fleet.run(for: .seconds(seconds))
        let findings = FleetJudge(course).findings()
        let requests = findings.requests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let all = findings.requests.values.reduce(0, +)
        say("\(seconds) s of \(hours) hours each, \(course.lives.count) lives, \(course.kills) kills")
        say("\(requests.joined(separator: ", ")) requests; \(findings.interrupted) were interrupted")
        say("the latest was \(findings.latest / 3_600_000) h late")
        say("\(findings.events) events, received \(findings.received) times")
        say("\(findings.faults.count) requests early, missed or made twice, and events not received once and in order")
        for line in findings.faults.prefix(10) { say("fault: \(line)") }
        let least = 10 * seconds * Int(hours) / 24
        try conclude(findings.faults.isEmpty, wasEnough: all > least && findings.events > least, seed: seed)
    }
}
