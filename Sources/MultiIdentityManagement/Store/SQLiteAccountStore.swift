import CMultiIdentitySQLite
import MultiIdentity

/// A store of accounts in a database file of SQLite's, which the processes of one machine share.
///
/// Each transaction is alone among all processes, and on the disk once it has returned (`synchronous = FULL`). A name
/// that was forgotten is overwritten in the database (`secure_delete`). The file belongs on a local disk.
public final class SQLiteAccountStore: AccountStore, Sendable {
    private let connection: Locked<SQLiteConnection>

    /// Opens a database, and makes it where it is missing.
    ///
    /// - Parameters:
    ///   - path: The database's file; others with its name and an ending lie beside it.
    ///   - patience: The longest time to wait for another process's transaction.
    /// - Throws: ``AccountStoreError`` where it cannot be opened, is damaged, or a later version's.
    public convenience init(_ path: String, patience: Duration = .seconds(10)) throws(AccountStoreError) {
        try self.init(SQLiteConnection(path, patience: patience))
    }

    /// A store in memory that ends with this object: for tests, and for programs that register everyone again.
    public convenience init() {
        do throws(AccountStoreError) {
            try self.init(SQLiteConnection(nil, patience: .zero))
        } catch {
            // Only memory can be missing.
            fatalError(error.message)
        }
    }

    private init(_ connection: SQLiteConnection) throws(AccountStoreError) {
        try SQLiteSchema.prepare(connection)
        self.connection = Locked(connection)
    }

    /// Runs `body` as one transaction.
    public func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(AccountStoreError) -> Value
    ) throws(AccountStoreError) -> Value {
        try connection.withLock { (connection) throws(AccountStoreError) -> Value in
            try connection.transaction { () throws(AccountStoreError) -> Value in
                try body(SQLiteTransaction(connection))
            }
        }
    }

    /// Runs `body` on one state of the database.
    public func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(AccountStoreError) -> Value
    ) throws(AccountStoreError) -> Value {
        try connection.withLock { (connection) throws(AccountStoreError) -> Value in
            try connection.reading { () throws(AccountStoreError) -> Value in try body(SQLiteTransaction(connection)) }
        }
    }
}
