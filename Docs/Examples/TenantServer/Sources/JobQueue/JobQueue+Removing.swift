public import GRDB

/// Removing all of an owner, as when a tenant is erased: of what was removed nothing stays in the database's files.
extension JobQueue {
    /// Has removed rows overwritten with zeros, in whatever database this connection is to; for `prepareDatabase`.
    ///
    /// - Parameter db: The connection.
    /// - Throws: Whatever the database throws.
    public static func overwriteRemoved(in db: Database) throws {
        try db.execute(sql: "PRAGMA secure_delete = ON")
    }

    /// Removes every job of an owner, whatever its state; a job that runs can no longer end, and its transaction is undone.
    ///
    /// - Parameters:
    ///   - owner: The owner of the jobs.
    ///   - db: The connection, within a write.
    /// - Returns: How many were removed.
    /// - Throws: Whatever the database throws.
    @discardableResult
    public static func remove(of owner: JobOwner, in db: Database) throws -> Int {
        try db.change(removal(of: owner))
    }

    /// Writes the database anew and empties its write-ahead log, so that neither has anything of what was removed.
    ///
    /// Overwriting alone leaves copies behind where rows once moved from page to page. It takes as long as copying the
    /// database, and waits for others as long as the busy mode says.
    ///
    /// - Parameter writer: The database.
    /// - Throws: Whatever the database throws, as where a reader does not end.
    public static func forgetRemoved(in writer: some DatabaseWriter) throws {
        try writer.vacuum()
        try writer.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    }
}
