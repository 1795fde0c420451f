import CMultiIdentitySQLite
import CSystemCalls
import MultiIdentity

/// A connection to a database, used by one thread at a time, with its prepared statements.
///
/// Unchecked, because it has no lock itself: ``SQLiteAccountStore``, its only user, calls it under its own lock.
final class SQLiteConnection: @unchecked Sendable {
    /// A value of a column; `nil` for none.
    enum Value {
        case number(Int64?)
        case text(String?)

        static func moment(_ moment: WallInstant?) -> Value { .number(moment?.milliseconds) }
    }

    let path: String?
    let shownPath: String
    private let patience: Duration
    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    /// Opens the database at a path, or one in memory if that is `nil`.
    init(_ path: String?, patience: Duration, mayMake: Bool = true) throws(ManagementError) {
        self.path = path
        self.patience = patience
        shownPath = path.map { EscapedText($0).quoted } ?? "in memory"
        if let path, mayMake {
            // Created here so that only the user can read it; SQLite would let everyone. An existing file is not opened,
            // because closing it would release this process's locks on it.
            let made = sys_open(sys_here, path, sys_access_create, 0o600)
            if made >= 0 { sys_close(made) }
        }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mayMake ? SQLITE_OPEN_CREATE : 0)
        let result = sqlite3_open_v2(path ?? ":memory:", &handle, flags, nil)
        guard result == SQLITE_OK else { throw error(result) }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Int32(max(0, min(1e9, (patience / .milliseconds(1)).rounded(.up)))))
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        // Never closed if the file was replaced, because that would remove the log of the new file.
        if !isMoved { sqlite3_close_v2(handle) }
    }

    // Retries, because SQLite does not wait here, and others may be creating the same database.
    /// Makes the database keep a write-ahead log.
    func keepLog() throws(ManagementError) {
        let end = ContinuousClock.now + patience
        while true {
            let result = sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nil, nil, nil)
            if result == SQLITE_OK { return }
            guard result & 0xff == SQLITE_BUSY, ContinuousClock.now < end else { throw error(result) }
            sqlite3_sleep(1)
        }
    }

    /// Indicates whether the file was replaced or removed.
    var isMoved: Bool {
        var isMoved: Int32 = 0
        if path != nil { sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &isMoved) }
        return isMoved != 0
    }

    /// Returns a connection to the file that is now at the path.
    func reopened() throws(ManagementError) -> SQLiteConnection {
        var status = sys_status()
        // An empty file is being copied, or a mistake: a running process never starts again without its accounts.
        guard let path, sys_status_of(path, &status) == 0, status.size > 0 else {
            throw ManagementError(
                .unavailable,
                "The database \(shownPath) is missing. Restore its last good copy."
            )
        }
        return try SQLiteConnection(path, patience: patience, mayMake: false)
    }

    /// Runs `body` in a transaction that takes the write lock first; rolls back if it throws.
    func transaction<Result>(
        _ body: () throws(ManagementError) -> Result
    ) throws(ManagementError) -> Result {
        let result = try between("BEGIN IMMEDIATE", body)
        if isMoved {
            throw ManagementError(.unavailable, "The database \(shownPath) was replaced in the meantime. Try again.")
        }
        return result
    }

    /// Runs `body`, which only reads, on one state of the database.
    func reading<Result>(
        _ body: () throws(ManagementError) -> Result
    ) throws(ManagementError) -> Result { try between("BEGIN", body) }

    private func between<Result>(
        _ begin: String,
        _ body: () throws(ManagementError) -> Result
    ) throws(ManagementError) -> Result {
        try run(begin)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Fails if the failure has rolled back already; report the first error.
            do { try run("ROLLBACK") } catch {}
            throw error
        }
    }

    func run(_ sql: String, _ values: [Value] = []) throws(ManagementError) {
        _ = try rows(sql, values) { (_) throws(ManagementError) in }
    }

    /// Returns the number in the first column of the first row; 0 if there is none.
    func number(_ sql: String) throws(ManagementError) -> Int64 {
        try rows(sql) { (row) throws(ManagementError) in row.number(0) }.first ?? 0
    }

    /// Returns the results of `body` for each row.
    func rows<Element>(
        _ sql: String,
        _ values: [Value] = [],
        _ body: (SQLiteRow) throws(ManagementError) -> Element
    ) throws(ManagementError) -> [Element] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let result = bind(value, to: statement, at: Int32(index + 1))
            guard result == SQLITE_OK else { throw error(result) }
        }
        var elements: [Element] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: elements.append(try body(SQLiteRow(statement: statement, shownPath: shownPath)))
            case SQLITE_DONE: return elements
            case let result: throw error(result)
            }
        }
    }

    private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .number(nil), .text(nil): return sqlite3_bind_null(statement, index)
        case .number(let number?): return sqlite3_bind_int64(statement, index, number)
        case .text(var text?):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // An empty text may have no address, which SQLite would take for null.
                    guard let start = characters.baseAddress else {
                        return mi_sqlite_bind_text(statement, index, "", 0)
                    }
                    return mi_sqlite_bind_text(statement, index, start, characters.count)
                }
            }
        }
    }

    private func prepared(_ sql: String) throws(ManagementError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard result == SQLITE_OK, let statement else { throw error(result) }
        statements[sql] = statement
        return statement
    }

    private func error(_ result: Int32) -> ManagementError {
        let text = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
        let (code, remedy): (ManagementError.Code, String) =
            switch result & 0xff {
            // Our statement is invalid there: the tables were changed.
            case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR: (.damaged, "Restore its last good copy.")
            case SQLITE_FULL: (.noSpace, "Free space on its disk.")
            default:
                (
                    .unavailable,
                    "Check that its folder exists and belongs to this user, and that no process locks it for long."
                )
            }
        return ManagementError(code, "The database \(shownPath) failed: \(text) (\(result)). \(remedy)")
    }
}
