public import GRDB

extension JobQueue {
    /// Makes the table, unless it is there; the statements stand in `Schema/jobs.sql`.
    ///
    /// - Parameter writer: The database.
    /// - Throws: Whatever the database throws.
    public static func prepare(_ writer: some DatabaseWriter) throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("jobs 1") { db in
            try db.execute(sql: String(decoding: PackageResources.jobs_sql, as: UTF8.self))
        }
        migrator.registerMigration("jobs 2") { db in
            try db.execute(sql: String(decoding: PackageResources.actors_sql, as: UTF8.self))
        }
        try migrator.migrate(writer)
    }

    /// The same statements for PostgreSQL, which need policies besides.
    package static var postgreSQLTable: String {
        String(decoding: PackageResources.jobs_sql + PackageResources.actors_sql, as: UTF8.self)
    }
}
