public import MultiIdentity

/// The source of leased resources: this package's pool, or another library's pool, adapted with three closures.
///
/// ```swift
/// let source = LeaseSource<Connection>(
///     acquire: { _ in try await theirs.connection() },
///     release: { theirs.giveBack($0) },
///     destroy: { $0.close() }
/// )
/// ```
///
/// All closures are called as nobody, because what a pool opens outlives the lease.
public struct LeaseSource<Resource: Sendable>: Sendable {
    let ledger: LeaseLedger
    let making: ResourceMaking

    init(_ ledger: LeaseLedger, _ making: ResourceMaking) {
        self.ledger = ledger
        self.making = making
    }

    /// Adapts a pool that blocks the calling thread while it waits.
    ///
    /// - Parameters:
    ///   - acquire: Takes a resource from the pool, for this identity; it must not return one that is already leased.
    ///   - release: Returns a clean resource to the pool.
    ///   - destroy: Makes the pool close and forget a resource.
    ///   - interrupt: Interrupts what runs on a resource when its lessee is revoked or the time is up; called on any thread.
    public init(
        acquire: @escaping @Sendable (Identity) throws -> Resource,
        release: @escaping @Sendable (Resource) -> Void,
        destroy: @escaping @Sendable (Resource) -> Void,
        interrupt: (@Sendable (Resource) -> Void)? = nil
    ) {
        let making = ResourceMaking.synchronous { lessee in
            try MadeResource(
                acquire(lessee),
                close: { resource in withIdentity(.nobody) { destroy(resource) } },
                interrupt: interrupt.map { interrupt in { resource in withIdentity(.nobody) { interrupt(resource) } } },
                giveBack: { resource in withIdentity(.nobody) { release(resource) } }
            )
        }
        self.init(LeaseLedger(.ofAnotherPool, LeaseClock(.continuous)), making)
    }

    /// Adapts a pool that waits without blocking; it has no synchronous leases.
    ///
    /// The parameters are those of the initializer for pools that block.
    public init(
        acquire: @escaping @Sendable (Identity) async throws -> Resource,
        release: @escaping @Sendable (Resource) -> Void,
        destroy: @escaping @Sendable (Resource) -> Void,
        interrupt: (@Sendable (Resource) -> Void)? = nil
    ) {
        let making = ResourceMaking.asynchronous { lessee in
            try await MadeResource(
                acquire(lessee),
                close: { resource in withIdentity(.nobody) { destroy(resource) } },
                interrupt: interrupt.map { interrupt in { resource in withIdentity(.nobody) { interrupt(resource) } } },
                giveBack: { resource in withIdentity(.nobody) { release(resource) } }
            )
        }
        self.init(LeaseLedger(.ofAnotherPool, LeaseClock(.continuous)), making)
    }
}

/// How a resource is obtained.
enum ResourceMaking: Sendable {
    case synchronous(@Sendable (Identity) throws -> MadeResource)
    case asynchronous(@Sendable (Identity) async throws -> MadeResource)
    /// A task of the ledger opens it.
    case pooled
}

/// Checks an idle resource before its use; an error counts as a failure.
enum LivenessCheck: Sendable {
    case synchronous(@Sendable (LeaseSlot) throws -> Bool)
    case asynchronous(@Sendable (LeaseSlot) async throws -> Bool)
}
