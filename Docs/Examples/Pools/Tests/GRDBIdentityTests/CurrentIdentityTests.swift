import Dispatch
import GRDB
import GRDBIdentity
import MultiIdentity
import Testing

@Suite("SQL that asks for the work's identity") struct CurrentIdentityTests {
    static func notes(_ pool: some DatabaseWriter) async throws {
        try await pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE note(owner TEXT NOT NULL DEFAULT (current_identity()), text TEXT);
                    CREATE INDEX note_owner ON note(owner);
                    CREATE VIEW my_note AS SELECT text FROM note WHERE owner = current_identity();
                    INSERT INTO note VALUES ('ada@contoso.com', 'of ada'), ('grace@contoso.com', 'of grace');
                    """
            )
        }
    }

    static func mine(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT text FROM my_note ORDER BY text")
    }

    @Test("sees the rows of the reader, on every connection and every way in")
    func rows() async throws {
        let files = try TemporaryPool()
        let pool = try files.pool()
        try await Self.notes(pool)
        let expected = [("Ada@Contoso.com", ["of ada"]), ("grace@contoso.com", ["of grace"]), ("eve@contoso.com", [])]
        for (name, rows) in expected {
            let seen = try await withIdentity(Identity(name)) {
                [
                    try await pool.read(Self.mine), try await pool.write(Self.mine),
                    try blocking { try pool.read(Self.mine) },
                ]
            }
            #expect(seen == [rows, rows, rows])
        }
        for nobody in [nil, Identity.nobody] {
            let seen = try await withIdentityLevels(IdentityLevels()) {
                try await withIdentity(nobody) { try await pool.read(Self.mine) }
            }
            #expect(seen == [])
        }
        let plan = try await pool.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT text FROM my_note").map { "\($0)" }.joined()
        }
        #expect(plan.contains("note_owner"))
    }

    @Test("refuses a row of nobody's, and gives a row to its writer")
    func owner() async throws {
        let files = try TemporaryPool()
        let pool = try files.pool()
        try await Self.notes(pool)
        let insert: @Sendable (Database) throws -> Void = {
            try $0.execute(sql: "INSERT INTO note(text) VALUES ('new')")
        }
        try await withIdentity(Identity("ada@contoso.com")) {
            try await pool.write(insert)
            let seen = try await pool.read(Self.mine)
            #expect(seen == ["new", "of ada"])
        }
        await #expect(throws: DatabaseError.self) { try await withIdentity(.nobody) { try await pool.write(insert) } }
    }

    @Test("leaves nothing of a write that was cancelled, and nobody on its connection")
    func cancelled() async throws {
        let files = try TemporaryPool()
        let pool = try files.pool()
        try await Self.notes(pool)
        let cancelled = Task {
            try await withIdentity(Identity("ada@contoso.com")) {
                try await pool.write { db in
                    try db.execute(sql: "INSERT INTO note(text) VALUES ('half')")
                    withUnsafeCurrentTask { $0?.cancel() }
                    // Interrupted, or rolled back at the latest when the write would be committed.
                    while true { try db.execute(sql: "SELECT count(*) FROM note") }
                }
            }
        }
        cancelled.cancel()
        await #expect(throws: (any Error).self) { try await cancelled.value }
        let who = try await withIdentityLevels(IdentityLevels()) {
            try await withIdentity(nil) {
                try await pool.write { try String.fetchOne($0, sql: "SELECT current_identity()") }
            }
        }
        #expect(who == nil)
        let count = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note WHERE text = 'half'") }
        #expect(count == 0)
    }

    /// Ada observes her rows, and then Grace writes one; what Ada is shown last.
    private func shownToAda(_ asCurrent: Bool) async throws -> [String]? {
        let queue = try DatabaseQueue(configuration: TemporaryPool.configuration)
        try await Self.notes(queue)
        let (shown, changes) = AsyncStream<[String]>.makeStream()
        let observation = try withIdentity(Identity("ada@contoso.com")) {
            let observed =
                asCurrent
                ? ValueObservation.trackingAsCurrent(Self.mine) : ValueObservation.tracking { db in try Self.mine(db) }
            return observed.start(in: queue, scheduling: .async(onQueue: DispatchQueue(label: "ada"))) { error in
                Issue.record(error)
            } onChange: {
                changes.yield($0)
            }
        }
        defer { observation.cancel() }
        var iterator = shown.makeAsyncIterator()
        _ = await iterator.next()
        try await withIdentity(Identity("grace@contoso.com")) {
            try await queue.write { try $0.execute(sql: "INSERT INTO note(text) VALUES ('secret of grace')") }
        }
        return await iterator.next()
    }

    @Test("observed plainly shows the rows of the writer")
    func observedPlainly() async throws {
        #expect(try await shownToAda(false) == ["of grace", "secret of grace"])
    }

    @Test("observed as current shows those of the observer")
    func observedAsCurrent() async throws {
        #expect(try await shownToAda(true) == ["of ada"])
    }

    private func blocking<Value>(_ body: () throws -> Value) rethrows -> Value { try body() }
}
