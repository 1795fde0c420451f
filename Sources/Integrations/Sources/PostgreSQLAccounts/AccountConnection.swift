import MultiIdentity
import MultiIdentityManagement
import PostgreSQLIdentity
import Synchronization

/// A connection that blocks the thread until there is an answer, or a time limit is reached.
final class AccountConnection: Sendable {
    private let wire: PostgreSQLWire
    private let patience: Duration
    private let hasFailed = Atomic(false)

    /// Indicates whether it can no longer be used.
    var isLost: Bool { hasFailed.load(ordering: .relaxed) }

    init(_ url: String, patience: Duration) throws(ManagementError) {
        self.patience = patience
        let seconds = max(2, (PostgreSQLAccountStore.milliseconds(patience) + 999) / 1_000)
        do { wire = try PostgreSQLWire(url, connectingWithin: seconds) } catch {
            throw ManagementError(.unavailable, error.message)
        }
    }

    /// Begins a transaction with several statements, and returns the rows of the last one.
    func begin(_ statements: [String]) throws(ManagementError) -> [PostgreSQLRow] {
        do { return try answer(to: statements.map(PostgreSQLStatement.init(fixed:))).rows } catch {
            // A half-begun transaction must not remain.
            if !isLost { rollBack() }
            throw error
        }
    }

    func commit() throws(ManagementError) {
        if try answer(to: [PostgreSQLStatement(fixed: "COMMIT")]).command != "COMMIT" {
            throw ManagementError(.unavailable, "The server has rolled a change back. Try again.")
        }
    }

    func rollBack() {
        do { _ = try answer(to: [PostgreSQLStatement(fixed: "ROLLBACK")]) } catch { lose() }
    }

    /// Runs one statement.
    @discardableResult
    func run(_ sql: String, _ values: [String?] = []) throws(ManagementError) -> [PostgreSQLRow] {
        let statement: PostgreSQLStatement
        do { statement = try PostgreSQLStatement(sql, values) } catch {
            throw ManagementError(.unavailable, error.message)
        }
        return try answer(to: [statement]).rows
    }

    private func answer(to statements: [PostgreSQLStatement]) throws(ManagementError) -> PostgreSQLResult {
        let answers: PostgreSQLWire.Answers
        do {
            // The server's own limits come first, as long as it answers at all.
            answers = try wire.run(statements, within: patience + .seconds(1))
        } catch {
            lose()
            throw ManagementError(
                .unavailable,
                "The database of accounts does not answer: \(error.message) Check whether the server runs."
            )
        }
        if let refusal = answers.refusal { throw Self.error(refusal) }
        guard let last = answers.results.last else {
            throw ManagementError(.unavailable, "The server did not answer.")
        }
        return last
    }

    private func lose() {
        hasFailed.store(true, ordering: .relaxed)
        wire.cut()
    }

    private static func error(_ refusal: PostgreSQLError) -> ManagementError {
        let (code, remedy): (ManagementError.Code, String) =
            switch refusal.sqlState {
            case "53100": (.noSpace, "Free space on the server's disk.")
            case "42P01", "42703", "42883": (.damaged, "Run PostgreSQLAccountStore.schema, as the role that migrates.")
            case "42501": (.unavailable, "Grant the role what PostgreSQLAccountStore.schema grants account_registry.")
            case "55P03", "57014": (.unavailable, "Find the process that locks the tables for long.")
            default: (.unavailable, "Check the server's log.")
            }
        return ManagementError(
            code,
            "The database of accounts failed: \(refusal.message) (\(refusal.sqlState ?? "none")). \(remedy)"
        )
    }
}
