import DatabaseServers
import Foundation
@_spi(Checks) import MultiIdentityTesting
import PostgreSQLIdentity
import Synchronization

/// The parent: starts servers and clients, kills database, pooler and client in turn, and finally checks what was acknowledged.
struct Clients {
    /// A deliberate fault, to check that it is noticed.
    enum Sabotage: String, CaseIterable, Sendable {
        /// Reads set the identity for the session, not for the transaction.
        case session
        /// Reads set the identity for a transaction, and begin none.
        case transaction
        /// The table has no policy.
        case policy
        /// A commit is reported although it was rolled back.
        case acknowledgement
    }

    /// To the pooler, which has half as many to the database.
    static let connections = 16

    private let queries: Int
    private let rounds: Int
    private let seed: UInt64
    private let sabotage: Sabotage?

    init(_ options: Options) throws {
        queries = try options.number("queries", or: 100_000)
        rounds = try options.number("kills", or: max(3, queries / 100_000))
        seed = try options.seed()
        sabotage = try options.sabotage()
    }

    func run() async throws {
        let start = ContinuousClock.now
        say("seed \(seed)")
        var dice = SeededGenerator(seed: seed)
        let servers = try DatabaseServers(poolSize: Self.connections / 2)
        defer { servers.stop() }
        let owner = servers.url("owner", through: .database)
        let tenants = try Tenants()
        try await tenants.seed(owner)
        if sabotage == .policy {
            try await PostgreSQLConnection.open(owner).query("ALTER TABLE notes DISABLE ROW LEVEL SECURITY")
        }
        let tally = try await run(servers, &dice)
        let lost = try await tally.missing(from: owner)
        let took = (ContinuousClock.now - start).formatted(.units(allowed: [.seconds]))
        say("\(tally.queries) queries of \(tenants.all.count) tenants over \(Self.connections) connections, in \(took)")
        for (name, count) in tally.counts.sorted(by: { $0.key < $1.key }) { say("    \(name): \(count)") }
        say("killed: \(tally.kills.map { "\($0.key) \($0.value) times" }.sorted().joined(separator: ", "))")
        say("\(tally.acknowledged.count) rows acknowledged, \(lost.count) of them lost")
        say("\(tally.wrong.count) wrong rows, \(tally.nameless.count) rows without an identity")
        say("\(tally.odd.count) errors that nothing explains")
        let faults = tally.wrong + tally.nameless + tally.odd + lost
        for line in faults.prefix(10) { say("fault: \(line)") }
        try conclude(faults.isEmpty, seed: seed)
    }

    /// Runs clients, one after another, until so many queries were answered.
    private func run(_ servers: DatabaseServers, _ dice: inout SeededGenerator) async throws -> Tally {
        // Evenly spread, each slightly shifted.
        let kills = (0..<rounds * 3).map {
            queries / (rounds * 3 + 1) * ($0 + 1) + dice.below(max(1, queries / (rounds * 30)))
        }
        let tally = Mutex(Tally())
        var killed = 0
        while case let done = tally.withLock({ $0.queries }), done < queries {
            let client = try ChildProcess(
                ["client", "--url", servers.url(), "--queries", "\(queries - done)", "--seed", "\(dice.next())"]
                    + (sabotage.map { ["--sabotage", $0.rawValue] } ?? [])
            )
            let heardAll = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                while let line = client.line() { tally.withLock { $0.take(line) } }
                heardAll.signal()
            }
            var isKilled = false
            while !isKilled, client.isRunning {
                if killed < kills.count, tally.withLock({ $0.queries }) >= kills[killed] {
                    isKilled = try kill(killed, servers, client, pause: dice.below(200))
                    let name = ["database", "pooler", "client"][killed % 3]
                    tally.withLock { $0.kills[name, default: 0] += 1 }
                    killed += 1
                }
                try await Task.sleep(for: .milliseconds(2))
            }
            let status = client.end()
            heardAll.wait()
            // Killed by us, or finished.
            if !isKilled, status != 0 { tally.withLock { $0.odd.append("a client ended with status \(status)") } }
        }
        return tally.withLock { $0 }
    }

    /// Kills the next process, and restarts a server after some milliseconds; returns whether it was the client.
    private func kill(_ number: Int, _ servers: DatabaseServers, _ client: ChildProcess, pause: Int) throws -> Bool {
        guard number % 3 < 2 else {
            client.kill()
            return true
        }
        let server: DatabaseServers.Server = number % 3 == 0 ? .database : .pooler
        try servers.kill(server)
        Thread.sleep(forTimeInterval: Double(pause) / 1_000)
        try servers.start(server)
        return false
    }
}

/// The sums of what all clients have reported.
struct Tally: Sendable {
    var queries = 0
    var counts: [String: Int] = [:]
    var kills: [String: Int] = [:]
    /// The owners of the rows that were reported as committed, by their unique titles.
    var acknowledged: [String: String] = [:]
    var wrong: [String] = []
    var nameless: [String] = []
    var odd: [String] = []

    /// Takes a line of a client's output.
    mutating func take(_ line: String) {
        let (verb, rest) = line.atFirstBlank
        switch verb {
        case "did": queries += Int(rest) ?? 0
        case "acknowledged":
            let (owner, title) = rest.atFirstBlank
            acknowledged[title] = owner
        case "wrong": wrong.append(rest)
        case "nameless": nameless.append(rest)
        case "count": counts[rest, default: 0] += 1
        default: odd.append(line)
        }
    }

    /// Reads all rows as the superuser; returns acknowledged rows that are missing or have another owner.
    func missing(from url: String) async throws -> [String] {
        let owner = try await PostgreSQLConnection.open(url)
        defer { owner.close() }
        var (left, last) = (acknowledged, "-1")
        let page = "SELECT number, owner, title FROM notes WHERE number > $1 ORDER BY number LIMIT 20000"
        while case let rows = try await owner.query(page, [last]).rows, let end = rows.last?["number"] {
            for row in rows {
                if let title = row["title"], left[title] == row["owner"] { left[title] = nil }
            }
            last = end
        }
        return left.map { "\($0.key) of \($0.value) is not there, or another's" }
    }
}

extension String {
    /// The text before the first blank, and the text behind it.
    fileprivate var atFirstBlank: (String, String) {
        guard let place = firstIndex(of: " ") else { return (self, "") }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}
