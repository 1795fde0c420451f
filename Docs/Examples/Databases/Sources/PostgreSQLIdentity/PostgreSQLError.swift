/// An error of a database, or of its use: what was wrong, with which value, and what to do.
///
/// That the task was cancelled is `CancellationError`; what a lease refuses is `LeaseError` or `IdentityRevokedError`.
public struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error; a later version can add some.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String = #function) { description = name }

        /// The URL cannot be read.
        public static var badURL: Self { Self() }
        /// A setting's or a function's name is none that SQL has without quotes.
        public static var badName: Self { Self() }
        /// A parameter or a statement has a zero byte, at which it would be cut off.
        public static var zeroByte: Self { Self() }
        /// No connection could be opened.
        public static var cannotConnect: Self { Self() }
        /// The role that the URL names is not restricted by policies, or can do what it must not.
        public static var refusedRole: Self { Self() }
        /// The statement would outlast the transaction, end it, or change its identity.
        public static var refusedStatement: Self { Self() }
        /// The server refused the statement; `sqlState` says why.
        public static var server: Self { Self() }
        /// The connection was lost, and with it the transaction, which was not committed.
        public static var connectionLost: Self { Self() }
        /// The connection was lost, or the time ran out, before the server said whether it had committed.
        public static var commitUnknown: Self { Self() }
        /// The server rolled back where it was asked to commit, since a statement had failed.
        public static var rolledBack: Self { Self() }
        /// The statement took longer than it may.
        public static var timedOut: Self { Self() }
        /// The statement was cut short, since its identity was revoked.
        public static var interrupted: Self { Self() }
        /// The session was somebody's before the transaction began.
        public static var sessionHasIdentity: Self { Self() }
        /// The server did not confirm the identity that it was given.
        public static var identityNotSet: Self { Self() }
        /// The transaction is over, or the connection is closed or busy.
        public static var unusable: Self { Self() }
        /// A column is missing, null, or not what it was read as.
        public static var notDecodable: Self { Self() }
    }

    /// The code of what went wrong, to match on.
    public let code: Code
    /// The message for people: what was tried, with which value, and what to do.
    public let message: String
    /// The server's SQLSTATE, five letters and digits, where the server said something.
    public let sqlState: String?

    init(_ code: Code, _ message: String, sqlState: String? = nil) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
    }

    /// The code, the SQLSTATE and the message.
    public var description: String { "\(code)\(sqlState.map { " (\($0))" } ?? ""): \(message)" }
}
