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

    init(_ ledger: LeaseLedger, making make: @escaping @Sendable (Identity) throws -> MadeResource) {
        self.ledger = ledger
        making = .synchronous(make)
    }

    init(asynchronously ledger: LeaseLedger, making make: @escaping @Sendable (Identity) async throws -> MadeResource) {
        self.ledger = ledger
        making = .asynchronous(make)
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
        self.init(Self.unlimited) { lessee in
            try MadeResource(
                acquire(lessee),
                close: { resource in withIdentity(.nobody) { destroy(resource) } },
                interrupt: interrupt.map { interrupt in { resource in withIdentity(.nobody) { interrupt(resource) } } },
                giveBack: { resource in withIdentity(.nobody) { release(resource) } }
            )
        }
    }

    /// A pool of somebody else's that is waited for without blocking; synchronous leases cannot be taken of it.
    ///
    /// - Parameters:
    ///   - acquire: Takes a resource out of the pool, for this identity; each that is out is another one.
    ///   - release: Puts a clean one back.
    ///   - destroy: Has the pool close one instead, and forget it.
    ///   - interrupt: Cuts short what runs on a resource, from any thread, where its lessee is revoked.
    public init(
        acquire: @escaping @Sendable (Identity) async throws -> Resource,
        release: @escaping @Sendable (Resource) -> Void,
        destroy: @escaping @Sendable (Resource) -> Void,
        interrupt: (@Sendable (Resource) -> Void)? = nil
    ) {
        self.init(asynchronously: Self.unlimited) { lessee in
            try await MadeResource(
                acquire(lessee),
                close: { resource in withIdentity(.nobody) { destroy(resource) } },
                interrupt: interrupt.map { interrupt in { resource in withIdentity(.nobody) { interrupt(resource) } } },
                giveBack: { resource in withIdentity(.nobody) { release(resource) } }
            )
        }
    }

    /// The ledger of a pool that has limits of its own.
    private static var unlimited: LeaseLedger {
        let limits = LeaseLedger.Limits(resources: .max, waiting: 0, wait: nil, idle: nil)
        return LeaseLedger(limits, LeaseClock(.continuous))
    }
}

/// The way to have another resource.
enum ResourceMaking: Sendable {
    case synchronous(@Sendable (Identity) throws -> MadeResource)
    case asynchronous(@Sendable (Identity) async throws -> MadeResource)
}
