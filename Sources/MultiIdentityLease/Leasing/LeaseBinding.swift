public import MultiIdentity

/// The way to put an identity on a resource, to take it off, and to ask the resource who it is.
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

    /// A binding by synchronous closures, for synchronous and asynchronous leases.
    ///
    /// A closure that throws leaves the resource half bound, and it is closed.
    ///
    /// - Parameters:
    ///   - bind: Puts an identity on the resource, before the lessee sees it; nobody is an identity as well.
    ///   - clear: Takes off whatever identity is on it, and all that a lessee may have set.
    ///   - verify: Asks the resource who it is: `nil` or nobody where it is clean; left out, it is never asked.
    ///   - transactions: How transactions begin and end, where the resource has any.
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

    /// A binding by asynchronous closures, for asynchronous leases alone.
    ///
    /// A closure that throws leaves the resource half bound, and it is closed.
    ///
    /// Its parameters are those of the synchronous one.
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

/// The closures of a binding, for a slot of whatever type.
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
