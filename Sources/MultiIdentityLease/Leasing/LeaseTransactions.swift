public import MultiIdentity

/// A step of a transaction on a leased resource.
public enum LeaseTransactionStep: Hashable, Sendable {
    /// The outermost transaction begins.
    ///
    /// If the identity is bound for the duration of a transaction, bind it here.
    case begin(Identity)
    /// The outermost transaction is committed.
    case commit
    /// The outermost transaction is rolled back.
    case rollback
    /// A savepoint begins at this depth; 1 is the first inside the outermost transaction.
    case savepoint(Int)
    /// The savepoint at this depth is released, and its changes are kept.
    case release(Int)
    /// The savepoint at this depth is rolled back, and its changes are discarded.
    case rollbackTo(Int)
}

/// Begins and ends transactions on a resource.
///
/// ```swift
/// LeaseTransactions<Connection> { connection, step in
///     switch step {
///     case .begin: try connection.execute("BEGIN")
///     case .commit: try connection.execute("COMMIT")
///     case .rollback: try connection.execute("ROLLBACK")
///     case .savepoint(let depth): try connection.execute("SAVEPOINT s\(depth)")
///     case .release(let depth): try connection.execute("RELEASE SAVEPOINT s\(depth)")
///     case .rollbackTo(let depth): try connection.execute("ROLLBACK TO SAVEPOINT s\(depth)")
///     }
/// }
/// ```
public struct LeaseTransactions<Resource: Sendable>: Sendable {
    @usableFromInline let steps: LeaseTransactionSteps

    /// Creates transactions from a synchronous closure.
    ///
    /// - Parameter perform: Performs a step; if it throws, the resource is closed when the lease ends.
    @inlinable
    public init(_ perform: @escaping @Sendable (Resource, LeaseTransactionStep) throws -> Void) {
        steps = .synchronous { slot, step in try perform(slot.resource(of: Resource.self), step) }
    }

    /// Creates transactions from an asynchronous closure, for asynchronous leases only.
    ///
    /// - Parameter perform: Performs a step; if it throws, the resource is closed when the lease ends.
    @inlinable
    public init(_ perform: @escaping @Sendable (Resource, LeaseTransactionStep) async throws -> Void) {
        steps = .asynchronous { slot, step in try await perform(slot.resource(of: Resource.self), step) }
    }
}

@usableFromInline
enum LeaseTransactionSteps: Sendable {
    case synchronous(@Sendable (LeaseSlot, LeaseTransactionStep) throws -> Void)
    case asynchronous(@Sendable (LeaseSlot, LeaseTransactionStep) async throws -> Void)
}
