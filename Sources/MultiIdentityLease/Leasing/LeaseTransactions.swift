public import MultiIdentity

/// A step of a transaction on a leased resource.
public enum LeaseTransactionStep: Hashable, Sendable {
    /// The outermost one begins; a binding that lasts as long as the transaction is made here, for this identity.
    case begin(Identity)
    /// The outermost one ends, and what was done counts.
    case commit
    /// The outermost one ends, and nothing of it counts.
    case rollback
    /// One inside begins, this deep: 1 for the first inside the outermost one.
    case savepoint(Int)
    /// The one inside ends, and what was done counts.
    case release(Int)
    /// The one inside ends, and nothing of it counts.
    case rollbackTo(Int)
}

/// The way to begin and end transactions on a resource.
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

    /// Transactions by a synchronous closure.
    ///
    /// - Parameter perform: Takes a step; where it throws, the resource is closed when the lease ends.
    @inlinable
    public init(_ perform: @escaping @Sendable (Resource, LeaseTransactionStep) throws -> Void) {
        steps = .synchronous { slot, step in try perform(slot.resource(of: Resource.self), step) }
    }

    /// Transactions by an asynchronous closure, for asynchronous leases alone.
    ///
    /// - Parameter perform: Takes a step; where it throws, the resource is closed when the lease ends.
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
