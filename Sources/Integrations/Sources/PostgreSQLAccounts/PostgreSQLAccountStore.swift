import Foundation
@_spi(Stores) public import MultiIdentityManagement
public import MultiIdentityPolicy
import PostgreSQLIdentity
import Synchronization

/// A store of accounts in a PostgreSQL database, shared by the processes of a fleet.
///
/// ```swift
/// let store = try PostgreSQLAccountStore("postgresql://account_registry@db/app")
/// ```
///
/// One transaction writes at a time among all processes, and readers do not wait. Each call blocks its thread, as with
/// ``SQLiteAccountStore``, for at most `patience`; calls from several threads run serially. Other processes are notified
/// of new events by `NOTIFY`; a pooler in transaction mode does not pass that on, and they poll instead.
public final class PostgreSQLAccountStore: AccountStore, Sendable {
    /// The statements that create the tables, for the role that migrates.
    public static let schema = String(decoding: PackageResources.accounts_sql, as: UTF8.self)
    /// The version of the tables.
    static let version: Int64 = 2
    static let channel = "multi_identity_accounts"

    private let url: String
    private let patience: Duration
    /// Distinguishes this store's notifications from others'.
    private let name = "\(UInt64.random(in: .min ... .max))"
    private let connection: Mutex<Slot>
    private let clock = StoreClock()

    /// The connection, accessible only with the lock.
    private struct Slot {
        var connection: AccountConnection?
    }

    /// Connects, and checks that the tables exist.
    ///
    /// - Parameters:
    ///   - url: The database, with a role that has been granted the tables, such as `account_registry`.
    ///   - patience: The longest time to wait for a connection, for an answer, and for another process's transaction.
    /// - Throws: `ManagementError` if it cannot be reached, has no such tables, or tables of a later version.
    public init(_ url: String, patience: Duration = .seconds(10)) throws(ManagementError) {
        self.url = url
        self.patience = patience
        let first = try AccountConnection(url, patience: patience)
        try Self.checkVersion(first)
        connection = Mutex(Slot(connection: first))
    }

    /// Runs `body` as one transaction.
    ///
    /// If the answer to its commit is lost, the server is asked for the outcome. Only if that is not answered within
    /// `patience` either, the error says that the outcome is unknown.
    @_spi(Stores) public func transaction<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        try connection.withLock { (slot) throws(ManagementError) -> Value in
            let limit = Self.milliseconds(patience)
            let begin = [
                "BEGIN", "SET LOCAL lock_timeout = \(limit)",
                "SET LOCAL idle_in_transaction_session_timeout = \(limit)",
                "SET LOCAL statement_timeout = \(limit + 500)",
                "SELECT \(PostgreSQLAccountTransaction.time), pg_current_xact_id()::text FROM account_store FOR UPDATE",
            ]
            let (connection, rows) = try self.begin(begin, &slot)
            let number = rows.first?[4] ?? ""
            let transaction = PostgreSQLAccountTransaction(connection, clock, rows.first)
            let value = try Self.rollingBack(connection) { () throws(ManagementError) -> Value in
                let value = try body(transaction)
                try transaction.keepTime()
                if transaction.hasAddedEvents { try connection.run("NOTIFY \(Self.channel), '\(name)'") }
                return value
            }
            do throws(ManagementError) {
                try connection.commit()
            } catch {
                guard connection.isLost else { throw error }
                try learn(of: number, &slot, error)
            }
            return value
        }
    }

    /// Runs `body` on one snapshot of the database.
    @_spi(Stores) public func reading<Value: Sendable>(
        _ body: (any AccountTransaction) throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        try connection.withLock { (slot) throws(ManagementError) -> Value in
            let begin = [
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                "SET LOCAL statement_timeout = \(Self.milliseconds(patience))",
            ]
            let (connection, _) = try self.begin(begin, &slot)
            let value = try Self.rollingBack(connection) { () throws(ManagementError) -> Value in
                try body(PostgreSQLAccountTransaction(connection, clock))
            }
            try connection.commit()
            return value
        }
    }

    /// Calls `changed` when another process has added events, and when it may have, after a connection was lost.
    @_spi(Stores) public func onChange(_ changed: @escaping @Sendable () -> Void) -> Subscription? {
        let listener = ChangeListener(url, to: Self.channel, except: name, changed)
        return Subscription { listener.end() }
    }

    /// Begins a transaction; opens a new connection if the previous one is lost, since nothing was done yet.
    private func begin(
        _ statements: [String],
        _ slot: inout Slot
    ) throws(ManagementError) -> (AccountConnection, [PostgreSQLRow]) {
        if let connection = slot.connection, !connection.isLost {
            do { return (connection, try connection.begin(statements)) } catch {
                guard connection.isLost else { throw error }
            }
        }
        let connection = try connect(&slot)
        return (connection, try connection.begin(statements))
    }

    private func connect(_ slot: inout Slot) throws(ManagementError) -> AccountConnection {
        slot.connection = nil
        let connection = try AccountConnection(url, patience: patience)
        try Self.checkVersion(connection)
        slot.connection = connection
        return connection
    }

    private static func rollingBack<Value>(
        _ connection: AccountConnection,
        _ body: () throws(ManagementError) -> Value
    ) throws(ManagementError) -> Value {
        do { return try body() } catch {
            // The first error is reported; a connection that cannot even roll back is closed.
            connection.rollBack()
            throw error
        }
    }

    /// Returns if a transaction was committed although its commit got no answer; throws if it was not, or if that is unknown.
    private func learn(
        of number: String,
        _ slot: inout Slot,
        _ failure: ManagementError
    ) throws(ManagementError) {
        let end = ContinuousClock.now + patience
        var last = failure
        while ContinuousClock.now < end {
            do throws(ManagementError) {
                let rows = try connect(&slot).run("SELECT pg_xact_status($1::text::xid8)", [number])
                switch rows.first?[0] {
                case "committed": return
                case "aborted": throw failure
                default: break
                }
            } catch {
                if error == failure { throw error }
                last = error
            }
            // It blocks the thread, as every call of this store does.
            Thread.sleep(forTimeInterval: 0.05)
        }
        throw ManagementError(
            .unavailable,
            "The outcome of a change is unknown: the server was lost during its commit. \(last.message)"
        )
    }

    private static func checkVersion(_ connection: AccountConnection) throws(ManagementError) {
        let found = try connection.run("SELECT version FROM account_store").first?[0].flatMap { Int64($0) } ?? 0
        guard found == version else {
            throw ManagementError(
                found > version ? .unsupportedVersion : .damaged,
                "The database's account tables have version \(found), and this release has \(version). Update the release, or name the account database."
            )
        }
    }

    static func milliseconds(_ duration: Duration) -> Int64 {
        Int64(max(1, min(1e9, (duration / .milliseconds(1)).rounded(.up))))
    }
}
