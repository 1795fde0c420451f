public import MultiIdentity

/// The pool that leases come from: the package's own, or one of somebody else's, by three closures.
///
/// ```swift
/// let source = LeaseSource<Connection>(
///     acquire: { _ in try await theirs.connection() },
///     release: { theirs.giveBack($0) },
///     destroy: { $0.close() }
/// )
/// ```
///
/// All are called as nobody: what a pool opens and registers meanwhile outlives the lease.
public struct LeaseSource<Resource: Sendable>: Sendable {
    let ledger: LeaseLedger
    let making: ResourceMaking

    init(_ ledger: LeaseLedger, _ making: ResourceMaking) {
        self.ledger = ledger
        self.making = making
    }

    /// A pool of somebody else's that is waited for on the calling thread.
    ///
    /// - Parameters:
    ///   - acquire: Takes a resource out of the pool, for this identity; each that is out is another one.
    ///   - release: Puts a clean one back.
    ///   - destroy: Has the pool close one instead, and forget it.
    ///   - interrupt: Cuts short what runs on a resource, from any thread, where its lessee is revoked.
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

    /// A pool of somebody else's that is waited for without blocking; synchronous leases cannot be taken of it.
    ///
    /// Its parameters are those of the one that blocks.
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

/// The way to have another resource.
enum ResourceMaking: Sendable {
    case synchronous(@Sendable (Identity) throws -> MadeResource)
    case asynchronous(@Sendable (Identity) async throws -> MadeResource)
    /// The ledger opens it, by a task of its own.
    case pooled
}

/// The check of an idle resource, before it is used; one that throws fails it.
enum LivenessCheck: Sendable {
    case synchronous(@Sendable (LeaseSlot) throws -> Bool)
    case asynchronous(@Sendable (LeaseSlot) async throws -> Bool)
}
