import CMultiIdentitySQLite
import CSystemCalls
import MultiIdentity

/// A connection to a database, used by one thread at a time, with its prepared statements.
///
/// Unchecked, since it knows no lock itself: ``SQLiteAccountStore``, which alone has one, uses it inside its own, and nowhere
/// else.
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

    /// Opens the database of a path, or one in memory where that is `nil`.
    init(_ path: String?, patience: Duration, mayMake: Bool = true) throws(ManagementError) {
        self.path = path
        self.patience = patience
        shownPath = path.map { EscapedText($0).quoted } ?? "in memory"
        if let path, mayMake {
            // Who is registered is nobody else's to read. Made here, since SQLite would have everybody read it; where it is there
            // already it is not opened, since to close it would let go of this process's locks on it.
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
        // To close one whose file was replaced would remove the log of the file that is there now: it stays open for good.
        if !isMoved { sqlite3_close_v2(handle) }
    }

    // SQLite itself waits for nobody here, and others can be making the same database.
    /// Has the database keep a write-ahead log.
    func keepLog() throws(ManagementError) {
        let end = ContinuousClock.now + patience
        while true {
            let result = sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nil, nil, nil)
            if result == SQLITE_OK { return }
            guard result & 0xff == SQLITE_BUSY, ContinuousClock.now < end else { throw error(result) }
            sqlite3_sleep(1)
        }
    }

    /// Indicates whether its path leads to another file by now, or to none.
    var isMoved: Bool {
        var isMoved: Int32 = 0
        if path != nil { sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &isMoved) }
        return isMoved != 0
    }

    /// A connection to the file that its path leads to now.
    func reopened() throws(ManagementError) -> SQLiteConnection {
        var status = sys_status()
        // An empty one is about to be copied, or a mistake: nobody's accounts begin anew while their process runs.
        guard let path, sys_status_of(path, &status) == 0, status.size > 0 else {
            throw ManagementError(
                .unavailable,
                "The database \(shownPath) is missing. Restore its last good copy."
            )
        }
        return try SQLiteConnection(path, patience: patience, mayMake: false)
    }

    /// Runs `body` between a begin that takes the write lock and a commit; rolls back where it throws.
    func transaction<Result>(
        _ body: () throws(ManagementError) -> Result
    ) throws(ManagementError) -> Result {
        let result = try between("BEGIN IMMEDIATE", body)
        if isMoved {
            throw ManagementError(.unavailable, "The database \(shownPath) was replaced in the meantime. Try again.")
        }
        return result
    }

    /// Runs `body`, which only reads, on the database as it is now.
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
            // Where a failure has rolled back already there is nothing to roll back, and the first error is the one to tell.
            do { try run("ROLLBACK") } catch {}
            throw error
        }
    }

    func run(_ sql: String, _ values: [Value] = []) throws(ManagementError) {
        _ = try rows(sql, values) { (_) throws(ManagementError) in }
    }

    /// The number in the first column of the first row; 0 where there is none.
    func number(_ sql: String) throws(ManagementError) -> Int64 {
        try rows(sql) { (row) throws(ManagementError) in row.number(0) }.first ?? 0
    }

    /// What `body` makes of each row.
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
                    // An empty text can have no address, and SQLite takes none for null.
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
            // A statement of ours that is none there: its tables are not as they were made.
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
