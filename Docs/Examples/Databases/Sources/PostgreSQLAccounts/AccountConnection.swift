import CPostgreSQL
import Foundation
import MultiIdentity
import MultiIdentityManagement
import PostgreSQLIdentity

/// A connection that blocks the thread until there is an answer, or until its patience is over.
///
/// Unchecked, since it knows no lock itself: ``PostgreSQLAccountStore``, which alone has one, uses it inside its own, and nowhere
/// else.
final class AccountConnection: @unchecked Sendable {
    /// A parameter of a statement.
    enum Value {
        case null
        case number(Int64)
        case text(String)
        case bool(Bool)
    }

    /// Indicates whether it is of no more use.
    private(set) var isLost = false
    private let handle: OpaquePointer
    private let patience: Duration

    init(_ url: String, patience: Duration) throws(AccountStoreError) {
        self.patience = patience
        do throws(PostgreSQLError) {
            let seconds = max(2, (PostgreSQLAccountStore.milliseconds(patience) + 999) / 1_000)
            handle = try PostgreSQLConnecting.connect(url, within: seconds)
        } catch {
            throw AccountStoreError(.unavailable, error.message)
        }
        // So that sending, too, ends in time.
        PQsetnonblocking(handle, 1)
    }

    deinit { PQfinish(handle) }

    /// Begins a transaction by several statements, and returns the rows of the last one.
    func begin(_ statements: String) throws(AccountStoreError) -> AccountRows {
        do throws(AccountStoreError) {
            return try answer { PQsendQuery(handle, statements) }
        } catch {
            // Of a transaction that half began nothing is to be left.
            if !isLost { rollBack() }
            throw error
        }
    }

    func commit() throws(AccountStoreError) {
        let rows = try answer { PQsendQuery(handle, "COMMIT") }
        if rows.command != "COMMIT" {
            throw AccountStoreError(.unavailable, "The server has rolled a change back. Try again.")
        }
    }

    func rollBack() {
        do throws(AccountStoreError) { _ = try answer { PQsendQuery(handle, "ROLLBACK") } } catch { isLost = true }
    }

    /// Runs one statement.
    @discardableResult
    func run(_ sql: String, _ values: Value...) throws(AccountStoreError) -> AccountRows {
        let texts = values.map { value -> [CChar]? in
            switch value {
            case .null: nil
            case .number(let number): Array("\(number)".utf8CString)
            case .text(let text): Array(text.utf8CString)
            case .bool(let bool): Array((bool ? "t" : "f").utf8CString)
            }
        }
        for case .text(let text) in values where text.utf8.contains(0) {
            throw AccountStoreError(
                .unavailable,
                "A text has a zero byte, which PostgreSQL takes in none. Leave it out."
            )
        }
        return try answer {
            Self.withPointers(texts[...]) { pointers in
                PQsendQueryParams(handle, sql, Int32(values.count), nil, pointers, nil, nil, 0)
            }
        }
    }

    private static func withPointers(
        _ texts: ArraySlice<[CChar]?>,
        _ pointers: [UnsafePointer<CChar>?] = [],
        _ body: ([UnsafePointer<CChar>?]) -> Int32
    ) -> Int32 {
        guard let first = texts.first else { return body(pointers) }
        guard let first else { return withPointers(texts.dropFirst(), pointers + [nil], body) }
        return first.withUnsafeBufferPointer { withPointers(texts.dropFirst(), pointers + [$0.baseAddress], body) }
    }

    private func answer(_ send: () -> Int32) throws(AccountStoreError) -> AccountRows {
        if isLost { throw lost() }
        // The server's own limits come first, as long as it answers at all.
        let end = ContinuousClock.now + patience + .seconds(1)
        guard send() == 1 else { throw lost() }
        while case let left = PQflush(handle), left != 0 {
            guard left == 1, wait(POLLIN | POLLOUT, until: end), PQconsumeInput(handle) == 1 else { throw lost() }
        }
        var last: AccountRows?
        while true {
            while PQisBusy(handle) == 1 {
                guard wait(POLLIN, until: end), PQconsumeInput(handle) == 1 else { throw lost() }
            }
            guard let pointer = PQgetResult(handle) else { break }
            let rows = AccountRows(pointer)
            // Those that follow a failed one are not run; nothing but the end comes after it.
            if last?.isFailure != true { last = rows }
        }
        guard let last else { throw lost() }
        if last.isFailure {
            let error = Self.error(last)
            if PQstatus(handle) == CONNECTION_BAD { isLost = true }
            throw error
        }
        return last
    }

    /// Waits until the socket is ready; `false` where time is up.
    private func wait(_ events: Int32, until end: ContinuousClock.Instant) -> Bool {
        var socket = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
        while case let left = end - ContinuousClock.now, left > .zero {
            let count = poll(&socket, 1, Int32(PostgreSQLAccountStore.milliseconds(left)))
            if count > 0 { return true }
            if count < 0, errno != EINTR { return false }
        }
        return false
    }

    private func lost() -> AccountStoreError {
        isLost = true
        let text = String(cString: PQerrorMessage(handle)).trimmed
        return AccountStoreError(
            .unavailable,
            "The database of accounts does not answer\(text.isEmpty ? "" : ": \(text)"). See whether the server runs."
        )
    }

    private static func error(_ rows: AccountRows) -> AccountStoreError {
        let (code, remedy): (AccountStoreError.Code, String) =
            switch rows.sqlState {
            case "53100": (.noSpace, "Make room on the server's disk.")
            case "42P01", "42703", "42883": (.damaged, "Run PostgreSQLAccountStore.schema, as the role that migrates.")
            case "42501": (.unavailable, "Grant the role what PostgreSQLAccountStore.schema grants account_registry.")
            case "55P03", "57014": (.unavailable, "See which process holds the tables for long.")
            default: (.unavailable, "See the server's log.")
            }
        return AccountStoreError(code, "The database of accounts failed: \(rows.failure) (\(rows.sqlState)). \(remedy)")
    }
}

/// The answer to a statement.
final class AccountRows {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var isFailure: Bool { ![PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(pointer)) }
    var failure: String { field("M") ?? String(cString: PQresultErrorMessage(pointer)).trimmed }
    var sqlState: String { field("C") ?? "none" }
    /// The command that was run, without the number of its rows.
    var command: String {
        let status = PQcmdStatus(pointer).map { String(cString: $0) } ?? ""
        return String(status.prefix { $0 != " " })
    }

    var first: Row? { PQntuples(pointer) > 0 ? Row(rows: self, number: 0) : nil }

    var all: [Row] { (0..<PQntuples(pointer)).map { Row(rows: self, number: $0) } }

    /// A field of an error, by the letter that the protocol has for it.
    private func field(_ letter: Unicode.Scalar) -> String? {
        PQresultErrorField(pointer, Int32(letter.value)).map { String(cString: $0) }
    }

    /// A row; its columns are counted from 0.
    struct Row {
        fileprivate let rows: AccountRows
        fileprivate let number: Int32

        func optionalText(_ column: Int32) -> String? {
            guard PQgetisnull(rows.pointer, number, column) == 0,
                let start = PQgetvalue(rows.pointer, number, column)
            else { return nil }
            return String(cString: start)
        }

        func text(_ column: Int32) -> String { optionalText(column) ?? "" }
        func optionalNumber(_ column: Int32) -> Int64? { optionalText(column).flatMap { Int64($0) } }
        func number(_ column: Int32) -> Int64 { optionalNumber(column) ?? 0 }
        func bool(_ column: Int32) -> Bool { optionalText(column) == "t" }
        func moment(_ column: Int32) -> WallInstant? { optionalNumber(column).map(WallInstant.init(milliseconds:)) }
    }
}
