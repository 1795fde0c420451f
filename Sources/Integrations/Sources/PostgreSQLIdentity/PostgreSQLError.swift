import CPostgreSQL

/// A database error or misuse: what went wrong, with which value, and what to do.
///
/// A cancelled task throws `CancellationError`; a refused lease throws `LeaseError` or `IdentityError` with `.revoked`.
public struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error; later versions can add some.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String = #function) { description = name }

        /// The URL is not valid.
        public static var badURL: Self { Self() }
        /// A parameter or a statement has a zero byte, which would cut it off.
        public static var zeroByte: Self { Self() }
        /// No connection could be opened.
        public static var cannotConnect: Self { Self() }
        /// Policies do not restrict the URL's role.
        public static var refusedRole: Self { Self() }
        /// The statement would outlast the transaction, end it, or change its identity.
        public static var refusedStatement: Self { Self() }
        /// The server refused the statement; `sqlState` says why.
        public static var server: Self { Self() }
        /// The connection was lost before the transaction was committed.
        public static var connectionLost: Self { Self() }
        /// The connection was lost, or the time limit reached, before the server reported whether it had committed.
        public static var commitUnknown: Self { Self() }
        /// The server rolled back instead of committing, since a statement had failed.
        public static var rolledBack: Self { Self() }
        /// The statement took longer than its limit.
        public static var timedOut: Self { Self() }
        /// The statement was interrupted, since its identity was revoked.
        public static var interrupted: Self { Self() }
        /// The session had an identity before the transaction began.
        public static var sessionHasIdentity: Self { Self() }
        /// The server did not confirm the identity.
        public static var identityNotSet: Self { Self() }
        /// The transaction is over, or the connection is closed or busy.
        public static var unusable: Self { Self() }
    }

    /// The kind of error, for code to match on.
    public let code: Code
    /// The message: what was tried, with which value, and what to do.
    public let message: String
    /// The server's SQLSTATE, five letters and digits, if the server reported one.
    public let sqlState: String?

    package init(_ code: Code, _ message: String, sqlState: String? = nil) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
    }

    /// The code, the SQLSTATE and the message.
    public var description: String { "\(code)\(sqlState.map { " (\($0))" } ?? ""): \(message)" }
}

extension PostgreSQLError {
    /// Returns the error for a server's refusal of a statement.
    static func server(_ result: OpaquePointer) -> Self {
        // The codes of PG_DIAG_MESSAGE_PRIMARY, _DETAIL and _SQLSTATE, macros that Swift does not see.
        func field(_ code: Unicode.Scalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        let message = field("M") ?? String(cString: PQresultErrorMessage(result))
        return PostgreSQLError(.server, message + (field("D").map { ": " + $0 } ?? ""), sqlState: field("C"))
    }

    static func cannotConnect(_ message: String) -> Self {
        PostgreSQLError(
            .cannotConnect,
            "No connection could be opened: \(message.onOneLine). Check whether the server runs and accepts the role."
        )
    }

    static func lost(_ handle: OpaquePointer) -> Self {
        let message = String(cString: PQerrorMessage(handle)).onOneLine
        return PostgreSQLError(.connectionLost, "The connection was lost: \(message). Try the transaction again.")
    }

    static func commitUnknown(after failure: Self) -> Self {
        PostgreSQLError(
            .commitUnknown,
            "\(failure.message) The server may have committed: check before you repeat it.",
            sqlState: failure.sqlState
        )
    }

    static let busy = PostgreSQLError(
        .unusable,
        "A statement began while another one runs on the connection. Wait for each."
    )
    static let over = PostgreSQLError(
        .unusable,
        "The transaction is over, and its connection may be in use elsewhere. Use it inside withTransaction."
    )
    static let closed = PostgreSQLError(.unusable, "The connection is closed. Open another one.")
    static let timedOut = PostgreSQLError(
        .timedOut,
        "A statement took longer than its limit. Make it do less, or raise the limit."
    )
    static let interrupted = PostgreSQLError(
        .interrupted,
        "A statement was interrupted, since its identity was revoked."
    )
    static let interruptedBefore = PostgreSQLError(
        .unusable,
        "A statement was interrupted on this connection, which is closed. Take another lease."
    )
    static let transactionEnded = PostgreSQLError(
        .unusable,
        "A statement ended the transaction that it was a part of. The connection is closed."
    )
    static let transactionGoesOn = PostgreSQLError(
        .unusable,
        "A transaction did not end when it should. The connection is closed."
    )
    static let identityNotSet = PostgreSQLError(
        .identityNotSet,
        "The server did not confirm the identity. Find what changes the setting app.identity there."
    )
    static let sessionHasIdentity = PostgreSQLError(
        .sessionHasIdentity,
        """
        The session on the server was somebody's before the transaction began: another client of the pooler has set the identity \
        and not for its transaction. Find it, and have the pooler open its connections again.
        """
    )
}

extension String {
    var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: "; ") }
}
