public import MultiIdentity
public import MultiIdentityLease

/// The settings of a database.
public struct PostgreSQLSettings: Sendable {
    /// Rights that a role must not have, asked of the server each time that a connection is opened.
    public enum Role: Hashable, Sendable, CaseIterable {
        /// To go round policies, as a superuser or with BYPASSRLS.
        case policed
        /// Besides, to call `set_config`, to lock for longer than a transaction, and to make temporary tables, none of which
        /// a client can see in a statement for certain.
        case sealed
        /// Anything: nothing is asked.
        case unchecked
    }

    /// The way to tell the server a transaction's identity.
    public var binding = PostgreSQLBinding.standard
    /// The text that stands for an identity; at first its name without case, by which two identities are equal or not.
    ///
    /// Nobody is the empty text, whatever this says.
    public var text: @Sendable (Identity) -> String = { $0.caselessName }
    /// Rights that the role must not have.
    public var role = Role.policed
    /// The longest time that anybody waits for a connection, or `nil` for as long as it takes.
    public var connectionWait: Duration? = .seconds(30)
    /// The longest time that a connection is kept that nobody uses, or `nil` for good.
    public var connectionIdle: Duration?
    /// The longest time that the answer to a round trip may take; the connection is closed afterwards.
    public var statementLimit: Duration = .seconds(30)
    /// The time from a cancellation until the connection is given up, if the server says nothing.
    public var cancellationLimit: Duration = .seconds(2)
    /// The longest time that a transaction may last, or `nil` for as long as it takes.
    public var transactionLimit: Duration?
    /// The treatment of work that has no identity: refused, or nobody's.
    public var withoutIdentity = LeaseSettings.WithoutIdentity.refused
    /// Called for each connection that is closed rather than returned.
    public var onClosing: (@Sendable (LeaseClosing) -> Void)?

    /// The settings that are safest and need nothing of the server but policies.
    public init() {}
}

/// The statement that tells the server a transaction's identity, for its length.
public struct PostgreSQLBinding: Hashable, Sendable {
    /// The statement: `$1` is the identity's text; it returns the identity in force, and before that the one of the session.
    let sql: String

    /// By the setting `app.identity`.
    public static let standard = PostgreSQLBinding(known: "app.identity")

    /// By a setting of another name.
    ///
    /// - Parameter name: The name, of two parts with a dot between them.
    /// - Returns: The binding.
    /// - Throws: ``PostgreSQLError`` with `.badName`.
    public static func setting(_ name: String) throws(PostgreSQLError) -> Self {
        try check(name)
        return PostgreSQLBinding(known: name)
    }

    /// By a function that takes the identity's text and returns it.
    ///
    /// - Parameter name: The name, with its schema.
    /// - Returns: The binding.
    /// - Throws: ``PostgreSQLError`` with `.badName`.
    public static func function(_ name: String) throws(PostgreSQLError) -> Self {
        try check(name)
        return PostgreSQLBinding(sql: "SELECT '', \(name)($1)")
    }

    private init(sql: String) { self.sql = sql }

    // Evaluated from left to right: what the session had before comes first.
    private init(known name: String) {
        sql = "SELECT current_setting('\(name)', true) AS before, set_config('\(name)', $1, true) AS now"
    }

    private static func check(_ name: String) throws(PostgreSQLError) {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            part.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
                && part.utf8.first.map { !(48...57).contains($0) } ?? false
        }
        guard parts.count == 2, isPlain else {
            throw PostgreSQLError(
                .badName,
                "The name \(name.debugDescription) is not two words of small letters, digits and _ with a dot between them. Rename it."
            )
        }
    }
}
