public import MultiIdentity

/// Binds an identity to a resource, clears it, and asks the resource for its identity.
///
/// ```swift
/// let binding = LeaseBinding<Connection>(
///     bind: { try $0.execute("SELECT set_config('app.user', $1, false)", $1.name) },
///     clear: { try $0.execute("DISCARD ALL") },
///     verify: { try $0.identity("SELECT current_setting('app.user', true)") }
/// )
/// ```
public struct LeaseBinding<Resource: Sendable>: Sendable {
    @usableFromInline let steps: LeaseSteps
    @usableFromInline let transactions: LeaseTransactionSteps?

    /// Creates a binding from synchronous closures, for synchronous and asynchronous leases.
    ///
    /// If a closure throws, the resource may be half bound and is closed.
    ///
    /// - Parameters:
    ///   - bind: Binds an identity to the resource before the lessee sees it; the identity may be nobody.
    ///   - clear: Removes any identity from the resource, and everything that a lessee may have set.
    ///   - verify: Returns the identity of the resource: `nil` or nobody if it is clean. Without it, the resource is never verified.
    ///   - transactions: How transactions begin and end, if the resource has any.
    @inlinable
    public init(
        bind: @escaping @Sendable (Resource, Identity) throws -> Void,
        clear: @escaping @Sendable (Resource) throws -> Void,
        verify: (@Sendable (Resource) throws -> Identity?)? = nil,
        transactions: LeaseTransactions<Resource>? = nil
    ) {
        var verifySlot: (@Sendable (LeaseSlot) throws -> Identity?)?
        if let verify { verifySlot = { slot in try verify(slot.resource(of: Resource.self)) } }
        steps = .synchronous(
            bind: { slot, identity in try bind(slot.resource(of: Resource.self), identity) },
            clear: { slot in try clear(slot.resource(of: Resource.self)) },
            verify: verifySlot
        )
        self.transactions = transactions?.steps
    }

    /// Creates a binding from asynchronous closures, for asynchronous leases only.
    ///
    /// If a closure throws, the resource may be half bound and is closed. The parameters are those of the synchronous initializer.
    @inlinable
    public init(
        bind: @escaping @Sendable (Resource, Identity) async throws -> Void,
        clear: @escaping @Sendable (Resource) async throws -> Void,
        verify: (@Sendable (Resource) async throws -> Identity?)? = nil,
        transactions: LeaseTransactions<Resource>? = nil
    ) {
        var verifySlot: (@Sendable (LeaseSlot) async throws -> Identity?)?
        if let verify { verifySlot = { slot in try await verify(slot.resource(of: Resource.self)) } }
        steps = .asynchronous(
            bind: { slot, identity in try await bind(slot.resource(of: Resource.self), identity) },
            clear: { slot in try await clear(slot.resource(of: Resource.self)) },
            verify: verifySlot
        )
        self.transactions = transactions?.steps
    }
}

/// The closures of a binding, for a slot of any resource type.
@usableFromInline
enum LeaseSteps: Sendable {
    case synchronous(
        bind: @Sendable (LeaseSlot, Identity) throws -> Void,
        clear: @Sendable (LeaseSlot) throws -> Void,
        verify: (@Sendable (LeaseSlot) throws -> Identity?)?
    )
    case asynchronous(
        bind: @Sendable (LeaseSlot, Identity) async throws -> Void,
        clear: @Sendable (LeaseSlot) async throws -> Void,
        verify: (@Sendable (LeaseSlot) async throws -> Identity?)?
    )
}
