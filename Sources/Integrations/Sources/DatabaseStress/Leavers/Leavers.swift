import DatabaseServers
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLAccounts
import PostgreSQLIdentity

/// The parent: processes work for many users, who leave in turn; none of their work may have an effect after a leave is acknowledged.
struct Leavers {
    /// A deliberate fault, which has to be noticed.
    enum Sabotage: String, CaseIterable, Sendable {
        /// A leave is acknowledged immediately, while the user's work may still run.
        case unsettled
        /// Work begins without checking whether its user is still admitted.
        case unadmitted
    }

    private let users: Int
    private static let processes = 3
    /// The pause of each of six tasks in a process after each piece of work, in milliseconds.
    private let pause: Int
    private let seed: UInt64
    private let sabotage: Sabotage?

    init(_ options: Options) throws {
        users = try options.number("users", or: 1_000)
        pause = try options.number("pause", or: 5)
        seed = try options.seed()
        sabotage = try options.sabotage()
    }

    func run() async throws {
        say("seed \(seed)")
        var dice = SeededGenerator(seed: seed)
        let servers = try DatabaseServers(schema: PostgreSQLAccountStore.schema)
        defer { servers.stop() }
        let members = try (0..<Self.processes).map { number in try start(number, servers) }
        for member in members { _ = try member.words("ready") }
        let owner = try await PostgreSQLConnection.open(servers.url("owner", through: .database))
        defer { owner.close() }
        var acknowledgements: [Acknowledgement] = []
        for user in 0..<users {
            for member in members { member.tell("next \(user)") }
            let leaver = members[dice.below(Self.processes)]
            leaver.tell("leave \(user)")
            let words = try leaver.words("acknowledged").compactMap { Int64($0) }
            let name = LeavingMember.name(of: user)
            let rows = try await owner.query("SELECT FROM notes WHERE owner = $1", [name]).count
            acknowledgements.append(
                Acknowledgement(begun: words[0], moment: words[1], isSettled: words[2] != 0, rows: rows)
            )
        }
        var (late, seen): ([String], Int) = ([], 0)
        for (number, member) in members.enumerated() {
            member.tell("dump")
            while case let words = try member.words("last", "end").compactMap({ Int64($0) }), words.count == 2 {
                seen += 1
                let (user, by) = (Int(words[0]), words[1] - acknowledgements[Int(words[0])].moment)
                if by > 0 { late.append("process \(number) worked for user \(user) \(by) µs after that") }
            }
        }
        let counts = try await owner.query("SELECT owner, count(*) AS all FROM notes GROUP BY owner").rows
        let rows = Dictionary(uniqueKeysWithValues: counts.map { ($0["owner"], $0["all"].flatMap { Int($0) } ?? 0) })
        for user in 0..<users where rows[LeavingMember.name(of: user)] ?? 0 != acknowledgements[user].rows {
            late.append("the database has rows of user \(user) that came after that")
        }
        for member in members { _ = member.end() }
        try judge(acknowledgements, late, written: rows.values.reduce(0, +), seen)
    }

    private struct Acknowledgement {
        /// By the machine's clock, in microseconds.
        let begun, moment: Int64
        let isSettled: Bool
        /// The number of the leaver's rows directly afterwards.
        let rows: Int
    }

    private func judge(_ acknowledgements: [Acknowledgement], _ late: [String], written: Int, _ seen: Int) throws {
        let times = acknowledgements.map { Double($0.moment - $0.begun) / 1_000 }.sorted()
        let unsettled = acknowledgements.count { !$0.isSettled }
        say("\(users) users left \(Self.processes) processes, which had \(written) rows written")
        say("a process was seen to work for a user \(seen) times")
        say(
            "acknowledged after \(times[users / 2]) ms in the middle, \(times[users - 1]) ms at most; \(unsettled) were not"
        )
        say("\(late.count) effects after an acknowledgement")
        for line in late.prefix(10) { say("fault: \(line)") }
        try conclude(late.isEmpty && unsettled == 0, wasEnough: written > users && seen > users, seed: seed)
    }

    private func start(_ number: Int, _ servers: DatabaseServers) throws -> ChildProcess {
        try ChildProcess(
            [
                "leaving-member", "--url", servers.url("account_registry", through: .database),
                "--data", servers.url(through: .database), "--users", "\(users)", "--number", "\(number)",
                "--seed", "\(seed &+ UInt64(number) &* 7_919)", "--pause", "\(pause)",
            ] + (sabotage.map { ["--sabotage", $0.rawValue] } ?? [])
        )
    }
}

extension ChildProcess {
    /// Waits for the next line, which has to begin with one of these words, and returns the others.
    fileprivate func words(_ first: String...) throws -> [String] {
        let line = line() ?? "nothing"
        let words = line.split(separator: " ").map(String.init)
        guard let found = words.first, first.contains(found) else {
            throw StressError("A process said \"\(line)\" instead of \(first).")
        }
        return Array(words.dropFirst())
    }
}
