import Dispatch
import Foundation
import GRDB
import Testing

private enum Tenant { @TaskLocal static var current: String? }

/// Ada observes her notes, and then Grace writes one: Ada is to be shown `["of ada"]`, both times.
///
/// GRDB carries task-locals into `await db.read` (groue/GRDB.swift#1794). The first fetch of an observation has none, and each
/// later one runs inside the write that it follows, as the writer.
@Suite("A ValueObservation of GRDB") struct GRDBObservationTests {
    private let notes = ValueObservation.tracking { db in
        let sql = "SELECT text FROM note WHERE tenant IS ? ORDER BY text"
        return try String.fetchAll(db, sql: sql, arguments: [Tenant.current])
    }

    private func graceWrites(to db: any DatabaseWriter) async throws {
        try await Tenant.$current.withValue("grace") {
            try await db.write { db in try db.execute(sql: "INSERT INTO note VALUES ('grace', 'secret of grace')") }
        }
    }

    /// Returns the rows that Ada is shown at first, and after Grace's write.
    private func shownToAda(in db: any DatabaseWriter) async throws -> [[String]?] {
        try await db.write { db in
            try db.execute(sql: "CREATE TABLE note(tenant TEXT, text TEXT)")
            try db.execute(sql: "INSERT INTO note VALUES ('ada', 'of ada'), ('grace', 'of grace')")
        }
        let (shown, changes) = AsyncStream<[String]>.makeStream()
        let observation = Tenant.$current.withValue("ada") {
            notes.start(in: db, scheduling: .async(onQueue: DispatchQueue(label: "ada"))) { error in
                Issue.record(error)
            } onChange: {
                changes.yield($0)
            }
        }
        defer { observation.cancel() }
        var iterator = shown.makeAsyncIterator()
        let first = await iterator.next()
        try await graceWrites(to: db)
        return [first, await iterator.next()]
    }

    @Test("of a queue fetches as no one, and then as the writer") func queue() async throws {
        let shown = try await shownToAda(in: DatabaseQueue())
        #expect(
            shown == [[], ["of grace", "secret of grace"]],
            "GRDB seems to have fixed this: take it out of Docs/Wild.md"
        )
    }

    @Test("of a pool fetches as the writer or as no one, and not as the observer") func pool() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pool = try DatabasePool(path: folder.appending(path: "notes").path)
        defer { try? pool.close() }
        let shown = try await shownToAda(in: pool)
        #expect(shown.last != ["of ada"], "GRDB seems to have fixed this: take it out of Docs/Wild.md")
    }

    @Test("iterated in a task fetches as no one and as the writer, and not as that task") func sequence()
        async throws
    {
        let db = try DatabaseQueue()
        try await db.write { db in
            try db.execute(sql: "CREATE TABLE note(tenant TEXT, text TEXT)")
            try db.execute(sql: "INSERT INTO note VALUES ('ada', 'of ada'), ('grace', 'of grace')")
        }
        let shown = try await Tenant.$current.withValue("ada") {
            var iterator = notes.values(in: db).makeAsyncIterator()
            let first = try await iterator.next()
            try await graceWrites(to: db)
            return [first, try await iterator.next()]
        }
        #expect(
            shown == [[], ["of grace", "secret of grace"]],
            "GRDB seems to have fixed this: take it out of Docs/Wild.md"
        )
    }
}
