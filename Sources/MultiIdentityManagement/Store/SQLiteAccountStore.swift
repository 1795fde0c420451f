import MultiIdentity

/// A store of accounts in a database file of SQLite's, which the processes of one machine share.
///
/// Each transaction is alone among all processes, and on the disk once it has returned (`synchronous = FULL`). A name
/// that was forgotten is overwritten in the database (`secure_delete`). The file belongs on a local disk. Where another file is
/// put in its place, each process goes on in that one.
public final class SQLiteAccountStore: AccountStore, Sendable {
    private let connection: Locked<SQLiteConnection>
    private let clock: StoreClock

    /// Opens a database, and makes it where it is missing.
    ///
    /// - Parameters:
    ///   - path: The database's file; others with its name and an ending lie beside it.
    ///   - patience: The longest time to wait for another process's transaction.
    ///   - clock: The time of day: the machine's, or a test's, which the store's clock follows then.
    /// - Throws: ``ManagementError`` where it cannot be opened, is damaged, or a later version's.
    public convenience init<Time: Clock>(
        _ path: String,
        patience: Duration = .seconds(10),
        clock: Time = SystemWallClock()
    ) throws(ManagementError) where Time.Instant == WallInstant {
        try self.init(path, patience: patience, time: StoreClock(clock))
    }

    package convenience init(
        _ path: String,
        patience: Duration = .seconds(10),
        time: StoreClock
    ) throws(ManagementError) { try self.init(SQLiteConnection(path, patience: patience), time) }

    /// A store in memory that ends with this object: for tests, and for programs that register everyone again.
    ///
    /// - Parameter clock: The time of day: the machine's, or a test's, which the store's clock follows then.
    public convenience init<Time: Clock>(clock: Time = SystemWallClock()) where Time.Instant == WallInstant {
        do { try self.init(SQLiteConnection(nil, patience: .zero), StoreClock(clock)) } catch {
            // Only memory can be missing.
            fatalError(error.message)
        }
    }

    private init(_ connection: SQLiteConnection, _ clock: StoreClock) throws(ManagementError) {
        try SQLiteSchema.prepare(connection, clock)
        self.connection = Locked(connection)
        self.clock = clock
    }

    /// Runs `body` as one transaction.
    public func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        try connection.withLock { (connection) throws(ManagementError) -> Value in
            try follow(&connection)
            return try connection.transaction { [connection] () throws(ManagementError) -> Value in
                let transaction = SQLiteTransaction(connection, clock)
                let value = try body(transaction)
                try transaction.keepTime()
                return value
            }
        }
    }

    /// Runs `body` on one state of the database.
    public func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        try connection.withLock { (connection) throws(ManagementError) -> Value in
            try follow(&connection)
            return try connection.reading { [connection] () throws(ManagementError) -> Value in
                try body(SQLiteTransaction(connection, clock))
            }
        }
    }

    /// Opens the file that was put in the place of the one before.
    private func follow(_ connection: inout SQLiteConnection) throws(ManagementError) {
        guard connection.isMoved else { return }
        let other = try connection.reopened()
        try SQLiteSchema.prepare(other, clock)
        connection = other
    }
}
