import DatabaseServers
import MultiIdentity
import MultiIdentityLease
import MultiIdentityTesting
import PostgreSQLIdentity
import Synchronization
import Testing

@Suite("The promises of a pool") struct PoolPromiseTests {
    @Test("are kept by connections to PostgreSQL", arguments: PoolPromise.allCases, DatabaseServers.Server.allCases)
    func areKept(_ promise: PoolPromise, _ server: DatabaseServers.Server) async throws {
        let pool = try await Pool(server)
        defer { pool.end() }
        let outcome = try await promise.check(on: pool.conformance)
        let isAboutOthers = promise == .batchesOneIdentity || promise == .answersEachJoiner
        #expect((outcome == .kept) != isAboutOthers, "all that connections have a part in are checked: \(outcome)")
    }
}

/// A pool of one connection, and how to break it.
private struct Pool {
    static let who = "SELECT current_setting('app.identity', true) AS who"
    static let timeout = "SELECT current_setting('lock_timeout') AS timeout"

    let database: PostgreSQLDatabase
    let relay: Relay
    let failsNext = Flag()

    init(_ server: DatabaseServers.Server) async throws {
        relay = try Relay(to: await Servers.shared.socket(of: server))
        var settings = PostgreSQLSettings()
        settings.withoutIdentity = .asNobody
        database = try await Servers.database(through: server, in: relay.folder, settings: settings)
    }

    func end() {
        database.shutDown()
        relay.stop()
    }

    var conformance: PoolConformance {
        PoolConformance("PostgreSQLDatabase") { [database, relay, failsNext] work in
            try await database.withTransaction { transaction in
                // The first statement sends the identity.
                try await transaction.query("SELECT 1")
                if failsNext.take() { relay.cut(at: "COMMIT", .beforeTheServer) }
                let resource = PoolConformance.Held(id: transaction.connectionNumber) {
                    try await transaction.query(Pool.who).identity
                }
                try await work(
                    resource.setting {
                        try await transaction.query("SET LOCAL lock_timeout = 4711")
                    } isChanged: {
                        try await transaction.query(Pool.timeout).rows.first?["timeout"] == "4711ms"
                    }
                )
            }
        }
        .waitedFor()
        .failingReset { [failsNext] in failsNext.set() }
        .dyingWhileBinding { [relay] in relay.cut(at: "set_config", .beforeTheAnswer) }
        .rollingBack { [database] in
            struct Undone: Error {}
            do {
                try await database.withTransaction { transaction in
                    try await transaction.query("SET LOCAL statement_timeout = 60000")
                    throw Undone()
                }
            } catch is Undone {}
        }
    }
}

private final class Flag: Sendable {
    private let isSet = Atomic(false)

    func set() { isSet.store(true, ordering: .sequentiallyConsistent) }
    func take() -> Bool { isSet.exchange(false, ordering: .sequentiallyConsistent) }
}

extension PostgreSQLResult {
    /// The identity that the server reports.
    fileprivate var identity: Identity? {
        get throws { try rows.first?["who"].flatMap { $0.isEmpty ? nil : try Identity($0) } }
    }
}
