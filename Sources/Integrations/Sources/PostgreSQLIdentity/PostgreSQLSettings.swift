public import MultiIdentityLease

/// The settings of a database.
public struct PostgreSQLSettings: Sendable {
    /// The longest time that anybody waits for a connection, or `nil` for as long as it takes.
    public var connectionWait: Duration? = .seconds(30)
    /// The longest time that a connection is kept that nobody uses, or `nil` for good.
    public var connectionIdle: Duration?
    /// The longest time that the answer to a round trip may take; the connection is closed afterwards.
    public var statementLimit: Duration = .seconds(30)
    /// The time from a request to stop until the connection is given up, if the server says nothing.
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
