import Dispatch
import MultiIdentity
import MultiIdentityLease

extension Promise {
    /// The promises of leases and the handling of messages.
    static let leases = [
        Promise("a resource is one's at a time, and clean in between", sharedResource),
        Promise("who asks first is served first, as soon as a resource is free", waitersInTurn),
        Promise("a resource that is still used comes back to nobody", referencesThatStay),
        Promise("a message is acknowledged once it was handled", messages),
    ]

    /// The promises of leases with a revoked identity.
    static let leasesOfTheRevoked = [
        Promise("a lease ends with its lessee's revocation", revokedLessee),
        Promise("a transaction of the revoked commits nothing", revokedTransaction),
    ]

    private static func sharedResource(_ findings: Findings) async throws {
        let leases = Connection.leases(findings, atMost: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in [try account("ada"), try account("bo"), try account("eve")] {
                group.addTask {
                    try await withIdentity(user) {
                        try await leases.withLease { lease in
                            try lease.use { $0.use(as: user) }
                            await Task.yield()
                            try lease.use { $0.use(as: user) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func waitersInTurn(_ findings: Findings) async throws {
        let (leases, group) = (Connection.leases(findings, atMost: 1), DispatchGroup())
        let (asked, served, first) = (Log<Identity>(), Log<Identity>(), try account("first"))
        // Asynchronous code opens it; threads wait for it from here on.
        try await withIdentity(first) { try await leases.withLease { try $0.use { $0.use(as: first) } } }
        let start = DispatchTime.now()
        for name in ["ada", "bo", "eve", "kim"] {
            let user = try account(name)
            withIdentity(user) {
                IdentityQueue.global().async(group: group) {
                    asked.add(user)
                    findings.expectNoError("a lease") {
                        try leases.withLeaseBlocking { lease in
                            served.add(user)
                            try lease.use { $0.use(as: user) }
                        }
                    }
                }
            }
        }
        await end(of: group)
        findings.expect(served.all == asked.all, "served in the order \(served.all) of those who asked: \(asked.all)")
        findings.expect(DispatchTime.now() < start + .seconds(1), "time went by though a resource was free")
    }

    private static func referencesThatStay(_ findings: Findings) async throws {
        let (leases, group) = (Connection.leases(findings, atMost: 1), DispatchGroup())
        for user in [try account("ada"), try account("bo")] {
            group.enter()
            Task {
                await withIdentity(user) {
                    do {
                        try await leases.withLease { lease in
                            let reference = lease.reference
                            IdentityQueue.global().async(group: group) {
                                // A late use is an error; otherwise the resource belongs to this identity until the use ends.
                                _ = try? reference.use { $0.use(as: user) }
                            }
                            try lease.use { $0.use(as: user) }
                        }
                    } catch {
                        findings.expect(false, "a lease: \(error)")
                    }
                }
                group.leave()
            }
        }
        await end(of: group)
    }

    private static func messages(_ findings: Findings) async throws {
        let handled = Count()
        let consumer = IdentityConsumer<Int>(
            owner: { _ in .nobody },
            acknowledge: { number in
                findings.expect(handled.value == number, "message \(number) is acknowledged after \(handled.value)")
            },
            retry: { _, _ in },
            deadLetter: { _, _ in }
        )
        let messages = AsyncStream<Int> { continuation in
            for number in 1...3 { continuation.yield(number) }
            continuation.finish()
        }
        try await consumer.consume(messages) { _ in
            await Task.yield()
            handled.add()
        }
    }

    private static func revokedLessee(_ findings: Findings) async throws {
        let leases = Connection.leases(findings, atMost: 1)
        let (ada, isRevoked) = (try account("ada"), Count())
        let lessee = Task {
            try await withIdentity(ada) {
                try await leases.withLease { lease in
                    for _ in 0..<3 {
                        try lease.use { _ in
                            findings.expect(!isRevoked.isSet, "a lease is used after its lessee was revoked")
                        }
                        await Task.yield()
                    }
                }
            }
        }
        await Task.yield()
        IdentityRevocation.revoke(ada, for: .signedOut)
        isRevoked.set()
        _ = await lessee.result
    }

    private static func revokedTransaction(_ findings: Findings) async throws {
        let (ada, bo, isRevoked, group) = (try account("ada"), try account("bo"), Count(), DispatchGroup())
        let transactions = LeaseTransactions<Connection> { _, step in
            if step == .commit { findings.expect(!isRevoked.isSet, "a transaction of the revoked is committed") }
        }
        let leases = Connection.leases(findings, atMost: 1, transactions: transactions)
        try await withIdentity(bo) { try await leases.withLease { try $0.use { $0.use(as: bo) } } }
        withIdentity(ada) {
            IdentityQueue.global().async(group: group) {
                _ = try? leases.withLeaseBlocking { lease in
                    try lease.withTransactionBlocking { letOthersGoOn() }
                }
            }
        }
        IdentityRevocation.revoke(ada, for: .signedOut)
        isRevoked.set()
        await end(of: group)
    }
}
