import CMultiIdentitySQLite
import MultiIdentity

/// The current row of a statement.
struct SQLiteRow {
    let statement: OpaquePointer
    let shownPath: String

    func optionalNumber(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
    }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func moment(_ column: Int32) -> WallInstant? { optionalNumber(column).map(WallInstant.init(milliseconds:)) }

    func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    /// Returns the identity of a name, if it matches its key: an altered row yields no account.
    func identity(_ column: Int32, key: Int32? = nil) throws(ManagementError) -> Identity {
        let identity: Identity
        do { identity = try Identity(text(column)) } catch { throw damaged("an invalid name: \(error.message)") }
        if let key, !text(key).isExactly(identity.caselessName) {
            throw damaged("the name \(identity) under another name's key")
        }
        return identity
    }

    func damaged(_ what: String) -> ManagementError {
        ManagementError(
            .damaged,
            "The database \(shownPath) has \(what). Restore its last good copy."
        )
    }
}
