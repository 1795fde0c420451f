/// The changes that a transaction sees of those that run beside it.
public enum PostgreSQLIsolation: Hashable, Sendable, CaseIterable {
    /// Each statement sees what was committed before it.
    case readCommitted
    /// All statements see what was committed before the first.
    case repeatableRead
    /// As if the transactions had run one after another; or else the server refuses it with SQLSTATE `40001`.
    case serializable
}
