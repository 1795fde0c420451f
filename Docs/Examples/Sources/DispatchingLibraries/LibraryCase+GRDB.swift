import Dispatch
import Foundation
import GRDB

extension LibraryCase {
    /// GRDB.swift: each database has serial queues of its own.
    static let grdb: [LibraryCase] = [
        LibraryCase("GRDB: DatabaseQueue.asyncRead") { work in
            let database = try DatabaseQueue()
            database.asyncRead { _ in work() }
            return database
        },
        LibraryCase("GRDB: DatabaseQueue.asyncWriteWithoutTransaction") { work in
            let database = try DatabaseQueue()
            database.asyncWriteWithoutTransaction { _ in work() }
            return database
        },
        LibraryCase("GRDB: DatabasePool.asyncRead") { work in
            let database = try TemporaryPool()
            database.pool.asyncRead { _ in work() }
            return database
        },
        LibraryCase("GRDB: DatabasePool.asyncWriteWithoutTransaction") { work in
            let database = try TemporaryPool()
            database.pool.asyncWriteWithoutTransaction { _ in work() }
            return database
        },
        LibraryCase("GRDB: ValueObservation, its first value") { work in
            let database = try DatabaseQueue()
            let observed = ValueObservation.tracking { try Int.fetchOne($0, sql: "SELECT 1") }
            let cancellable = observed.start(
                in: database,
                scheduling: .async(onQueue: DispatchQueue(label: "values")),
                onError: { _ in },
                onChange: { _ in work() }
            )
            return (database, cancellable)
        },
    ]
}

/// A pool, which wants a file, for as long as the file is needed.
private final class TemporaryPool {
    let pool: DatabasePool
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "dispatching-libraries-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        pool = try DatabasePool(path: folder.appending(path: "database.sqlite").path)
    }

    deinit {
        try? pool.close()
        try? FileManager.default.removeItem(at: folder)
    }
}
