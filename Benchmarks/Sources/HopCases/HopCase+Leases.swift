import Dispatch
import MultiIdentity
import MultiIdentityLease
import Synchronization

/// The cost of a lease of a bare resource, compared with a plain pool: take, bind, work, clear, put back.
///
/// Neither asks the resource for its identity, since that is the resource's cost; `carried-verified` asks it each time.
extension HopCase {
    static let leaseCases = [
        HopCase("lease", "handwritten", .user) {
            let (counter, pool) = (Counter(), PlainPool())
            return HopParts(enqueue: { hops in
                for _ in 0..<hops { pool.with { _ in counter.value += 1 } }
            })
        },
        HopCase("lease", "carried", .identity) { synchronousLeases(bare) },
        HopCase("lease", "carried-verified", .identity) { synchronousLeases(verified) },
        HopCase("lease-async", "handwritten", .user) {
            let (counter, pool) = (Counter(), PlainPool())
            return .inOneTask { await pool.withAwaited { _ in counter.value += 1 } }
        },
        HopCase("lease-async", "carried", .identity) {
            let (counter, leases) = (Counter(), makeLeases(bare))
            return .inOneTask {
                let isLeased: Void? = try? await leases.withLease { lease in try lease.use { _ in counter.value += 1 } }
                precondition(isLeased != nil, "No other lease exists, and an identity is bound.")
            }
        },
    ]

    private static let bare = LeaseBinding<BareConnection>(bind: { $0.become($1) }, clear: { $0.become(nil) })
    private static let verified = LeaseBinding<BareConnection>(
        bind: { $0.become($1) },
        clear: { $0.become(nil) },
        verify: { $0.who }
    )

    private static func makeLeases(_ binding: LeaseBinding<BareConnection>) -> IdentityPool<BareConnection> {
        let pool = ResourcePool(4, open: { () throws -> BareConnection in BareConnection() }, close: { _ in })
        return IdentityPool(of: pool, binding: binding)
    }

    private static func synchronousLeases(_ binding: LeaseBinding<BareConnection>) -> HopParts {
        let (counter, leases) = (Counter(), makeLeases(binding))
        return HopParts(enqueue: { hops in
            for _ in 0..<hops {
                let isLeased: Void? = try? leases.withLeaseBlocking { lease in
                    try lease.use { _ in counter.value += 1 }
                }
                precondition(isLeased != nil, "No other lease exists, and an identity is bound.")
            }
        })
    }
}

/// A connection that stores the identity it was given, and nothing else.
private final class BareConnection: Sendable {
    private let identity = Mutex<Identity?>(nil)
    var who: Identity? { identity.withLock { $0 } }
    func become(_ identity: Identity?) { self.identity.withLock { $0 = identity } }
}

/// A handwritten pool: free resources behind a lock; bound and cleared around the work, whatever its result.
private final class PlainPool: Sendable {
    final class Connection: Sendable {
        private let user = Mutex<User?>(nil)
        func become(_ user: User?) { self.user.withLock { $0 = user } }
    }

    private let free = Mutex<[Connection]>([])

    @inline(__always)
    func with(_ work: (Connection) throws -> Void) rethrows {
        let connection = take()
        connection.become(Handwritten.user)
        defer { putBack(connection) }
        try work(connection)
    }

    @inline(__always)
    nonisolated(nonsending) func withAwaited(_ work: nonisolated(nonsending) (Connection) async throws -> Void)
        async rethrows
    {
        let connection = take()
        connection.become(Handwritten.user)
        defer { putBack(connection) }
        try await work(connection)
    }

    private func take() -> Connection { free.withLock { $0.popLast() } ?? Connection() }

    private func putBack(_ connection: Connection) {
        connection.become(nil)
        free.withLock { $0.append(connection) }
    }
}
