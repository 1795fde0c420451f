import ArgumentParser
import DatabaseServers
import Foundation
import PostgreSQLIdentity

/// The parent: starts servers and clients, kills each in turn, and checks in the end what was acknowledged.
struct Stress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stress", shouldDisplay: false)

    @Option(help: "The number of queries that are to be answered.")
    var queries = 100_000
    @Option(help: "The number of tenants.")
    var tenants = 1_000
    @Option(help: "The number of connections to the pooler; it has half as many to the database.")
    var connections = 16
    @Option(
        help:
            "How often each of database, pooler and client is killed; once every 100,000 queries, and thrice at least."
    )
    var kills: Int?
    @Option(help: "What the dice start with; another number each time, unless it is given.")
    var seed = UInt64.random(in: 0...999_999_999)
    @Option(help: "Breaks the run on purpose (session, policy, acknowledgement).")
    var sabotage = ""

    func run() async throws {
        let start = ContinuousClock.now
        print("seed \(seed)")
        // To a file it would come at the end, or not at all.
        fflush(nil)
        var dice = SeededGenerator(seed: seed)
        let sabotage = try self.sabotage.isEmpty ? nil : sabotaging()
        let servers = try DatabaseServers(
            .transaction,
            poolSize: max(2, connections / 2),
            schema: "CREATE ROLE twin LOGIN; GRANT SELECT ON notes TO twin;"
        )
        defer { servers.stop() }
        let everybody = try Tenants(tenants)
        try await everybody.seed(servers.url("owner", through: .database))

        let twin = Twin(url: servers.url("twin"), tenants: everybody)
        let leak = try await twin.queriesUntilLeak(within: 100, connections: connections, &dice)
        print(leak.map { "the twin with a session's SET leaks at query \($0)" } ?? "the twin does not leak")

        if let sql = sabotage?.sql {
            let owner = try await PostgreSQLConnection.open(servers.url("owner", through: .database))
            try await owner.query(sql)
        }
        let rounds = kills ?? max(3, queries / 100_000)
        let clients = Clients(
            servers: servers,
            arguments: ["--tenants", "\(tenants)", "--connections", "\(connections)", "--sabotage", self.sabotage],
            // Spread evenly, each place a little off.
            kills: (0..<rounds * 3).map {
                queries / (rounds * 3 + 1) * ($0 + 1) + dice.below(max(1, queries / (rounds * 30)))
            }
        )
        let tally = try await clients.run(queries, &dice)
        let lost = try await tally.acknowledged.missing(from: servers.url("owner", through: .database))

        let took = ContinuousClock.now - start
        print(
            "\(tally.queries) queries of \(tenants) tenants over \(connections) connections, in \(took.formatted(.units(allowed: [.seconds])))"
        )
        for (name, count) in tally.counts.sorted(by: { $0.key < $1.key }) { print("    \(name): \(count)") }
        print("killed: \(tally.kills.map { "\($0.key) \($0.value) times" }.sorted().joined(separator: ", "))")
        print("\(tally.acknowledged.count) rows acknowledged, \(lost.count) of them lost")
        print(
            "\(tally.wrong.count) wrong rows, \(tally.nameless.count) rows without an identity, \(tally.odd.count) errors that nothing explains"
        )
        for line in (tally.wrong + tally.nameless + tally.odd + lost).prefix(10) { print("    \(line)") }
        let held = leak != nil && lost.isEmpty && tally.wrong.isEmpty && tally.nameless.isEmpty && tally.odd.isEmpty
        print(held ? "All held." : "FAILED (seed \(seed))")
        if !held { throw ExitCode.failure }
    }

    private func sabotaging() throws -> Sabotage {
        guard let known = Sabotage(rawValue: sabotage) else {
            throw ValidationError("There is no sabotage \"\(sabotage)\".")
        }
        return known
    }
}
