import DatabaseServers
import MultiIdentity
import MultiIdentityLease
import PostgreSQLIdentity
import Testing

@Suite("A connection in doubt") struct DoubtfulConnectionTests {
    @Test(
        "is closed where its query was cancelled, and the server notified",
        arguments: DatabaseServers.Server.allCases
    )
    func isClosedAfterCancellation(_ server: DatabaseServers.Server) async throws {
        let servers = try await Servers.shared
        let closings = Closings()
        let database = try await Servers.database(through: server, settings: closings.settings)
        let ada = try someUser()
        let before = try await number(of: database, as: ada)
        // In its text, by which it is found among others.
        let sleep = "SELECT pg_sleep(60), '\(ada)'"
        let task = Task {
            try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ('cancelled')")
                try await transaction.query(sleep)
            }
        }
        try await servers.waitUntilRunning(sleep)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(closings.all.map(\.reason) == [.cancelled])
        #expect(try await number(of: database, as: ada) != before)
        #expect(try await database.noteCount(of: ada) == 0)
        // Interrupted, not only abandoned: it would sleep for a minute.
        try await servers.waitUntilRunning(sleep, count: 0)
    }

    @Test("refuses each further statement of a task that was cancelled as cancelled, and for no other reason")
    func staysCancelled() async throws {
        let database = try await Servers.database()
        let ada = try someUser()
        let errors = await Task {
            var errors: [any Error] = []
            func note(_ work: () async throws -> Void) async {
                do { try await work() } catch { errors.append(error) }
            }
            await note {
                try await database.withTransaction(as: ada) { transaction in
                    withUnsafeCurrentTask { $0?.cancel() }
                    for _ in 0..<2 { await note { try await transaction.query("SELECT 1") } }
                }
            }
            return errors
        }.value
        // The first one may have been answered by then.
        #expect(errors.count >= 2 && errors.allSatisfy { $0 is CancellationError }, "\(errors)")
    }

    @Test("is closed where its query took too long", arguments: DatabaseServers.Server.allCases)
    func isClosedAfterItsTime(_ server: DatabaseServers.Server) async throws {
        let closings = Closings()
        let database = try await Servers.database(through: server, settings: closings.settings)
        let ada = try someUser()
        let before = try await number(of: database, as: ada)
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("SELECT pg_sleep(60)", within: .milliseconds(50))
            }
        }
        #expect(refusal?.code == .timedOut)
        #expect(closings.all.map(\.reason) == [.clearingFailed])
        #expect(try await number(of: database, as: ada) != before)
    }

    @Test("is closed where the server says nothing, not even to a request to stop")
    func isGivenUp() async throws {
        let relay = try Relay(to: await Servers.shared.socket(of: .database))
        defer { relay.stop() }
        var settings = PostgreSQLSettings()
        settings.cancellationLimit = .milliseconds(50)
        let database = try await Servers.database(in: relay.folder, settings: settings)
        let ada = try someUser()
        let before = try await number(of: database, as: ada)
        relay.cut(at: "never answered", .silently)
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("SELECT 'never answered'", within: .milliseconds(50))
            }
        }
        #expect(refusal?.code == .timedOut)
        #expect(try await number(of: database, as: ada) != before)
    }

    @Test(
        "says that it does not know where the answer to a commit was lost",
        arguments: [Relay.Cut.beforeTheAnswer, .beforeTheServer]
    )
    func knowsNotWhetherItCommitted(_ place: Relay.Cut) async throws {
        let relay = try Relay(to: await Servers.shared.socket(of: .database))
        defer { relay.stop() }
        let database = try await Servers.database(in: relay.folder)
        let ada = try someUser()
        relay.cut(at: "COMMIT", place)
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ('perhaps')")
            }
        }
        #expect(refusal?.code == .commitUnknown)
        relay.cut(at: "perhaps as well", place)
        let other = await #expect(throws: PostgreSQLError.self) {
            try await withIdentity(ada) {
                try await database.query("INSERT INTO notes (title) VALUES ('perhaps as well')")
            }
        }
        #expect(other?.code == .commitUnknown)
        if case .beforeTheServer = place {
            #expect(try await database.noteCount(of: ada) == 0)
        }
    }

    @Test("is lost, and not committed, where it breaks before the commit")
    func isLostBeforeTheCommit() async throws {
        let relay = try Relay(to: await Servers.shared.socket(of: .database))
        defer { relay.stop() }
        let database = try await Servers.database(in: relay.folder)
        let ada = try someUser()
        relay.cut(at: "INSERT", .beforeTheAnswer)
        let refusal = await #expect(throws: PostgreSQLError.self) {
            try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("INSERT INTO notes (title) VALUES ('lost')")
            }
        }
        #expect(refusal?.code == .connectionLost)
        #expect(try await database.noteCount(of: ada) == 0)
    }

    @Test("that was lost while nobody used it is another one's turn, and no error") func isReplaced() async throws {
        let servers = try DatabaseServers()
        defer { servers.stop() }
        let ada = try someUser()
        for server in DatabaseServers.Server.allCases {
            let database = try PostgreSQLDatabase(servers.url(through: server), connections: 4)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        _ = try await withIdentity(ada) { try await database.query("SELECT pg_sleep(0.05)") }
                    }
                }
                try await group.waitForAll()
            }
            try servers.kill(server)
            try servers.start(server)
            let seen = try await withIdentity(ada) { try await database.query("SELECT 1").count }
            #expect(seen == 1, "\(server)")
        }
    }

    @Test("is closed where its lessee was revoked, and what runs is cut short")
    func isClosedAfterRevocation() async throws {
        let servers = try await Servers.shared
        let closings = Closings()
        let database = try await Servers.database(settings: closings.settings)
        let ada = try someUser()
        let task = Task {
            try await database.withTransaction(as: ada) { transaction in
                try await transaction.query("SELECT pg_sleep(61)")
            }
        }
        try await servers.waitUntilRunning("pg_sleep(61)")
        IdentityRevocation.revoke(ada, for: .signedOut)
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(closings.all.map(\.reason) == [.revoked])
    }

    private func number(of database: PostgreSQLDatabase, as identity: Identity) async throws -> Int {
        try await database.withTransaction(as: identity) { transaction in
            try await transaction.query("SELECT 1")
            return transaction.connectionNumber
        }
    }
}

extension DatabaseServers {
    /// Waits until so many server processes run a statement.
    func waitUntilRunning(_ statement: String, count: Int = 1) async throws {
        let owner = try await PostgreSQLConnection.open(url("owner", through: .database))
        defer { owner.close() }
        let question =
            "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%' || $1 || '%' AND pid <> pg_backend_pid()"
        while try await owner.query(question, [statement]).count != count {
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
