import DatabaseServers
import Foundation
import MultiIdentityManagement
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLAccounts

/// The course of a run: what the processes wrote, and when each began and ended.
struct Course: Sendable {
    struct Life: Sendable {
        let number: Int
        let begin: Int64
        /// The moment from which on it wrote nothing; `nil` where it was there at the end.
        var end: Int64?
    }

    var lives: [Life] = []
    var lines: [Journal.Line] = []
    var kills = 0
    /// The moments at which the parent had an account registered.
    var registered: [String: Int64] = [:]
    /// The moment at which the run was over.
    var end: Int64 = 0
}

/// Processes with a registry each on one database, the killing of them, and what the parent has them do.
final class Fleet {
    private let servers: DatabaseServers
    private let clock: HurriedClock
    private let journal: String
    private let seed: UInt64
    private let sabotage: FleetRun.Sabotage?
    private var dice: SeededGenerator
    private var course = Course()
    private var running: [(life: Int, process: ChildProcess)?]
    private var registered: [String] = []
    private var names = 0
    private static let processes = 3
    /// The number of accounts that are registered at a time.
    private static let accounts = 30

    init(hours: Int64, seed: UInt64, sabotage: FleetRun.Sabotage?) throws {
        clock = HurriedClock(hours: hours)
        servers = try DatabaseServers(schema: PostgreSQLAccountStore.schema)
        journal = "\(servers.folder)-journal"
        self.seed = seed
        self.sabotage = sabotage
        dice = SeededGenerator(seed: seed)
        running = Array(repeating: nil, count: Self.processes)
    }

    deinit { try? FileManager.default.removeItem(atPath: journal) }

    func run(for duration: Duration) async throws -> Course {
        let end = ContinuousClock.now + duration
        for place in running.indices { try start(place) }
        for _ in 0..<Self.accounts { register() }
        while ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50 + dice.below(700)))
            try befall()
        }
        for place in running.indices where running[place] == nil { try start(place) }
        // What is due is made now, by all.
        try await Task.sleep(for: .seconds(2))
        course.end = clock.now.milliseconds
        for member in running { member?.process.kill() }
        course.lines = try Journal.lines(of: journal)
        servers.stop()
        return course
    }

    /// Has one process end, or begin; one at least is always there.
    private func befall() throws {
        let place = dice.below(running.count)
        if let member = running[place] {
            guard running.count(where: { $0 != nil }) > 1 else { return }
            member.process.kill()
            course.lives[member.life].end = clock.now.milliseconds
            course.kills += 1
            running[place] = nil
        } else {
            try start(place)
        }
        if dice.below(3) == 0, !registered.isEmpty {
            let leaver = registered.remove(at: dice.below(registered.count))
            tell("remove \(leaver)")
            register()
        }
    }

    private func register() {
        names += 1
        let name = "user\(names)@contoso.com"
        course.registered[name] = clock.now.milliseconds
        registered.append(name)
        tell("register \(name)")
    }

    /// Says something to any process, as long as it lives.
    private func tell(_ line: String) { running.compactMap(\.self).randomElement(using: &dice)?.process.tell(line) }

    private func start(_ place: Int) throws {
        let life = course.lives.count
        course.lives.append(.init(number: life, begin: clock.now.milliseconds))
        let process = try ChildProcess(
            [
                "member", "--url", servers.url("account_registry", through: .database), "--journal", journal,
                "--life", "\(life)", "--begin", "\(clock.begin)", "--hours", "\(clock.hours)",
                "--seed", "\(seed &+ UInt64(life) &* 7_919)",
            ] + (sabotage.map { ["--sabotage", $0.rawValue] } ?? [])
        )
        running[place] = (life, process)
    }
}
