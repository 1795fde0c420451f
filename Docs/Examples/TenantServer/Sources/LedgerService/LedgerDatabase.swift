import GRDB
import JobQueue

/// Opens the database, and makes its tables where they are not there.
enum LedgerDatabase {
    static func open(_ path: String, synchronous: LedgerConfiguration.Synchronous) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "ledger"
        // Other processes may use it: the one that was killed and the one that follows, or a command beside the service.
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { db in
            if !db.configuration.readonly { try db.execute(sql: "PRAGMA synchronous = \(synchronous.rawValue)") }
            try JobQueue.overwriteRemoved(in: db)
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try JobQueue.prepare(pool)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("ledger 1") { db in
            try db.execute(sql: String(decoding: PackageResources.ledger_sql, as: UTF8.self))
        }
        try migrator.migrate(pool)
        return pool
    }
}
