import DatabaseServers
import MultiIdentity
@_spi(Stores) @_spi(Checks) import MultiIdentityManagement
import MultiIdentityPolicy
import PostgreSQLAccounts
import PostgreSQLIdentity
import Synchronization
import Testing

@Suite("A store of accounts on PostgreSQL", .serialized) struct ServedAccountsTests {
    private static let servers = Task.detached { try DatabaseServers(schema: PostgreSQLAccountStore.schema) }

    /// A separate database, and what is needed to disturb it.
    private struct Scene {
        let servers: DatabaseServers
        let database: String

        init() async throws {
            servers = try await ServedAccountsTests.servers.value
            database = try servers.makeDatabase()
        }

        func url(in socket: String? = nil) -> String {
            servers.url("account_registry", through: .database, in: socket, database: database)
        }

        /// Changes the database as an administrator would.
        func change(_ statement: String) async throws {
            let owner = servers.url("owner", through: .database, database: database)
            let connection = try await PostgreSQLConnection.open(owner)
            defer { connection.close() }
            _ = try await connection.query(statement)
        }

        func store(patience: Duration = .seconds(10)) throws -> PostgreSQLAccountStore {
            try PostgreSQLAccountStore(url(), patience: patience)
        }
    }

    private static func account() throws(ManagementError) -> Identity {
        do { return try Identity("user\(UInt64.random(in: .min ... .max))@contoso.com") } catch {
            throw ManagementError(.wrongValue, "\(error)")
        }
    }

    private static func event(_ text: String) throws(ManagementError) -> AccountEvent {
        AccountEvent(try account(), .failed, text, at: WallInstant(milliseconds: 1), from: "test")
    }

    private func count(_ store: any AccountStore) throws -> Int {
        try store.reading { (transaction) throws(ManagementError) in try transaction.accounts(nil).count }
    }

    private func put(_ identity: Identity, in store: any AccountStore) throws(ManagementError) {
        try store.transaction { (transaction) throws(ManagementError) in try transaction.put(AccountRecord(identity))
        }
    }

    @Test("keeps the promises of every store") func keepsThePromises() async throws {
        for promise in AccountStorePromise.allCases {
            #expect(try promise.faults(of: await Scene().store()) == [])
        }
    }

    @Test("reads one state while another process writes, and waits for none") func readsOneState() async throws {
        let scene = try await Scene()
        let (writer, reader) = (try scene.store(), try scene.store(patience: .milliseconds(200)))
        try writer.transaction { (transaction) throws(ManagementError) in
            try transaction.put(AccountRecord(Self.account()))
            let seen = try reader.reading { (transaction) throws(ManagementError) in
                try transaction.accounts(nil).count
            }
            #expect(seen == 0)
            let failure = #expect(throws: ManagementError.self) {
                try reader.transaction { (_) throws(ManagementError) in }
            }
            #expect(failure?.code == .unavailable && failure?.message.contains("55P03") == true)
        }
        #expect(try count(reader) == 1)
    }

    @Test("says that a change was written where the answer to its commit is lost, and that it was not where it was not")
    func saysWhatBecameOfACommit() async throws {
        let scene = try await Scene()
        let relay = try Relay(to: scene.servers.socket(of: .database))
        let store = try PostgreSQLAccountStore(scene.url(in: relay.folder), patience: .seconds(2))
        for (place, isWritten) in [(Relay.Cut.beforeTheAnswer, true), (.silently, true), (.beforeTheServer, false)] {
            let (ada, before) = (try Self.account(), try count(store))
            relay.cut(at: "COMMIT", place)
            if isWritten {
                try put(ada, in: store)
            } else {
                let failure = #expect(throws: ManagementError.self) { try put(ada, in: store) }
                #expect(failure?.code == .unavailable && failure?.message.contains("is unknown") == false)
            }
            #expect(try count(store) == before + (isWritten ? 1 : 0), "\(place)")
        }
        // No server is left to ask.
        relay.cut(at: "COMMIT", .silently)
        let ada = try Self.account()
        let failure = #expect(throws: ManagementError.self) {
            try store.transaction { (transaction) throws(ManagementError) in
                try transaction.put(AccountRecord(ada))
                relay.stop()
            }
        }
        #expect(failure?.message.contains("is unknown") == true, "\(String(describing: failure))")
    }

    @Test("goes on after a server that was killed, with every change that was acknowledged")
    func goesOnAfterAKill() async throws {
        let scene = try await Scene()
        let store = try scene.store(patience: .seconds(2))
        try put(Self.account(), in: store)
        try scene.servers.kill(.database)
        #expect(throws: ManagementError.self) { try put(Self.account(), in: store) }
        #expect(throws: ManagementError.self) { try count(store) }
        try scene.servers.start(.database)
        #expect(try count(store) == 1)
        try put(Self.account(), in: store)
        #expect(try count(store) == 2)
    }

    @Test("tells of others' events, of its own none, and again after the server was gone")
    func tellsOfOthers() async throws {
        let scene = try await Scene()
        let (one, other) = (try scene.store(), try scene.store())
        let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
        let count = Atomic(0)
        let subscription = try #require(
            one.onChange {
                count.add(1, ordering: .relaxed)
                continuation.yield()
            }
        )
        var received = calls.makeAsyncIterator()
        // The first notification says that it listens.
        await received.next()
        func add(to store: PostgreSQLAccountStore) throws {
            try store.transaction { (transaction) throws(ManagementError) in _ = try transaction.add(Self.event("x"))
            }
        }
        try add(to: one)
        try add(to: other)
        await received.next()
        #expect(count.load(ordering: .relaxed) == 2)
        try scene.servers.kill(.database)
        try scene.servers.start(.database)
        await received.next()
        try? add(to: other)
        try add(to: other)
        await received.next()
        subscription.cancel()
    }

    @Test("is refused without its tables, with a later version's, and to a role that was not let in")
    func isRefused() async throws {
        let scene = try await Scene()
        func code(_ url: String) -> (ManagementError.Code?, String) {
            do throws(ManagementError) { _ = try PostgreSQLAccountStore(url, patience: .seconds(1)) } catch {
                return (error.code, error.message)
            }
            return (nil, "")
        }
        let none = code(scene.servers.url("owner", through: .database, database: "postgres"))
        #expect(none.0 == .damaged && none.1.contains("PostgreSQLAccountStore.schema"))
        let stranger = code(scene.servers.url("app", through: .database, database: scene.database))
        #expect(stranger.0 == .unavailable && stranger.1.contains("Grant"))
        #expect(code("postgresql://nobody@/app?host=/nowhere").0 == .unavailable)
        #expect(code("no url at all").0 == .unavailable)
        try await scene.change("UPDATE account_store SET version = 3")
        #expect(code(scene.url()).0 == .unsupportedVersion)
        try await scene.change("UPDATE account_store SET version = 1")
        #expect(code(scene.url()).0 == .damaged)
    }

    @Test("with rows that were tampered with has nobody's account") func withRowsThatWereTamperedWith() async throws {
        for change in [
            "UPDATE accounts SET name = 'bob@contoso.com'", "UPDATE accounts SET name = ' '",
            "UPDATE accounts SET stage = 'loved'",
        ] {
            let scene = try await Scene()
            let store = try scene.store()
            try put(Self.account(), in: store)
            try await scene.change(change)
            let failure = #expect(throws: ManagementError.self, "\(change)") { try count(store) }
            #expect(failure?.code == .damaged)
        }
    }

    @Test("keeps an event with a zero byte in its text, and no record with one")
    func keepsAnEventWithAZeroByte() async throws {
        let store = try await Scene().store()
        let copy = PolicyCopy(
            source: "one",
            text: "a\0b",
            tag: nil,
            signature: "",
            confirmed: WallInstant(milliseconds: 1)
        )
        let failure = #expect(throws: ManagementError.self) {
            try store.transaction { (transaction) throws(ManagementError) in try transaction.put(copy) }
        }
        #expect(failure?.message.contains("zero byte") == true)
        try store.transaction { (transaction) throws(ManagementError) in _ = try transaction.add(Self.event("a\0b")) }
        let text = try store.reading { (transaction) throws(ManagementError) in
            try transaction.events(after: 0, limit: 1).first?.text
        }
        #expect(text == "a\u{FFFD}b")
    }
}
