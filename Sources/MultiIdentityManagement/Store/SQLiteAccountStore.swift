import MultiIdentity

/// A store of accounts in an SQLite database file, which the processes of one machine share.
///
/// Each transaction is isolated from all processes, and durable once it has returned (`synchronous = FULL`). Deleted
/// names are overwritten in the database (`secure_delete`). Keep the file on a local disk. If another file replaces it,
/// each process switches to that one.
public final class SQLiteAccountStore: AccountStore, Sendable {
    private let connection: Locked<SQLiteConnection>
    private let clock: StoreClock

    /// Opens a database, and creates it if it is missing.
    ///
    /// - Parameters:
    ///   - path: The database file; SQLite creates more files beside it, with its name and a suffix.
    ///   - patience: The maximum time to wait for another process's transaction.
    ///   - clock: The time of day, by default the machine's; the store's clock follows any other, such as a test's.
    /// - Throws: ``ManagementError`` if it cannot be opened, is damaged, or is of a later version.
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

    /// Creates a store in memory, for tests and for programs that register all accounts again.
    ///
    /// - Parameter clock: The time of day, by default the machine's; the store's clock follows any other, such as a test's.
    public convenience init<Time: Clock>(clock: Time = SystemWallClock()) where Time.Instant == WallInstant {
        do { try self.init(SQLiteConnection(nil, patience: .zero), StoreClock(clock)) } catch {
            // Only a lack of memory gets here.
            fatalError(error.message)
        }
    }

    private init(_ connection: SQLiteConnection, _ clock: StoreClock) throws(ManagementError) {
        try SQLiteSchema.prepare(connection, clock)
        self.connection = Locked(connection)
        self.clock = clock
    }

    /// Runs `body` as one transaction.
    @_spi(Stores) public func transaction<Value: Sendable>(
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
    @_spi(Stores) public func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        try connection.withLock { (connection) throws(ManagementError) -> Value in
            try follow(&connection)
            return try connection.reading { [connection] () throws(ManagementError) -> Value in
                try body(SQLiteTransaction(connection, clock))
            }
        }
    }

    /// Opens the new file, if the file was replaced.
    private func follow(_ connection: inout SQLiteConnection) throws(ManagementError) {
        guard connection.isMoved else { return }
        let other = try connection.reopened()
        try SQLiteSchema.prepare(other, clock)
        connection = other
    }
}
