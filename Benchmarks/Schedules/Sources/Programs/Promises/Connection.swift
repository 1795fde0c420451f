import MultiIdentity
import MultiIdentityLease
import Synchronization

/// A resource that belongs to one identity at a time, and records violations.
final class Connection: Sendable {
    private let findings: Findings
    private let owner = Mutex<Identity?>(nil)
    private let (users, isClosed) = (Count(), Count())

    init(_ findings: Findings) { self.findings = findings }

    /// Uses it as an identity.
    func use(as user: Identity) {
        users.add()
        check(user)
        letOthersGoOn()
        check(user)
        users.add(-1)
    }

    private func check(_ user: Identity) {
        findings.expect(owner.withLock { $0 } == user, "a resource is another's while \(user) uses it")
        findings.expect(!isClosed.isSet, "a resource is used after it was closed")
    }

    /// Leases of connections, with a limit on open ones.
    static func leases(
        _ findings: Findings,
        atMost count: Int,
        transactions: LeaseTransactions<Connection>? = nil
    ) -> IdentityPool<Connection> {
        let open = Count()
        let pool = ResourcePool(
            PoolLimits(maxResources: count),
            open: {
                findings.expect(open.add() <= count, "more than \(count) resources are open")
                await Task.yield()
                return Connection(findings)
            },
            close: { connection in
                findings.expect(connection.users.value == 0, "a resource is closed while it is used")
                findings.expect(!connection.isClosed.isSet, "a resource is closed twice")
                connection.isClosed.set()
                open.add(-1)
            }
        )
        var settings = LeaseSettings()
        settings.trapsOnLateUse = false
        return IdentityPool(of: pool, binding: binding(findings, transactions), settings: settings)
    }

    private static func binding(
        _ findings: Findings,
        _ transactions: LeaseTransactions<Connection>?
    ) -> LeaseBinding<Connection> {
        LeaseBinding(
            bind: { connection, identity in
                let last = connection.owner.withLock { $0 }
                findings.expect(last == nil, "a resource is still another's when it is bound")
                findings.expect(connection.users.value == 0, "a resource is still used when it is bound")
                connection.owner.withLock { $0 = identity }
            },
            clear: { connection in
                letOthersGoOn()
                connection.owner.withLock { $0 = nil }
            },
            transactions: transactions
        )
    }
}
