import MultiIdentity
import MultiIdentityLease
import Testing

@Suite("A lease of a revoked lessee", .rule("14.7")) struct RevokedLeaseTests {
    @Test("can no longer be used, is interrupted as nobody, and its resource is closed", arguments: [0, 1])
    func revoked(_ way: Int) async throws {
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        defer { IdentityRevocation.readmit(ada) }
        let sessions = Sessions(2, binding: [Session.binding, Session.asynchronousBinding][way])
        try await sessions.lease(as: ada) { lease in
            try await sessions.lease(as: bob) { others in
                IdentityRevocation.revoke(ada, for: .signedOut)
                try others.use { _ in }
            }
            expect(throws: IdentityError.Code.revoked) { try lease.use { _ in Issue.record("used") } }
        }
        #expect(sessions.closings.all == [.revoked])
        #expect(sessions.opened.all.map { $0.state.withLock { $0.interruptedAs } } == [[.nobody], []])
        #expect(sessions.opened.all.map(\.isClosed) == [true, false])
        await expect(throws: IdentityError.Code.revoked) { try await sessions.lease(as: ada) { _ in } }
    }

    @Test("can no longer be used after its lessee's actor is revoked") func actor() async throws {
        let (support, sessions) = (try newIdentity("support"), Sessions())
        defer { IdentityRevocation.readmit(support) }
        try await sessions.lease(as: newIdentity().acted(by: support)) { lease in
            IdentityRevocation.revoke(support, for: .signedOut)
            #expect(throws: IdentityError.self) { try lease.use { _ in Issue.record("used") } }
        }
        #expect(sessions.closings.all == [.revoked])
    }

    @Test("is not available to work of the life that ended", arguments: [0, 1])
    func earlierLife(_ way: Int) async throws {
        let ada = try newIdentity()
        let sessions = Sessions(binding: [Session.binding, Session.asynchronousBinding][way])
        try await withIdentity(ada) {
            IdentityRevocation.revoke(ada, for: .signedOut)
            IdentityRevocation.readmit(ada)
            await expect(throws: IdentityError.Code.revoked) { try await sessions.leases.withLease { _ in } }
            try await sessions.lease(as: ada) { _ in }
        }
    }

    @Test("is no longer waited for") func waiting() async throws {
        let ada = try newIdentity()
        defer { IdentityRevocation.readmit(ada) }
        let sessions = Sessions()
        try await sessions.lease(as: newIdentity("bob")) { _ in
            let waiting = withIdentity(ada) { Task { try await sessions.leases.withLease { _ in } } }
            await eventually { sessions.pool.counts == counts(leased: 1, waiting: 1) }
            IdentityRevocation.revoke(ada, for: .signedOut)
            await expect(throws: IdentityError.Code.revoked) { try await waiting.value }
        }
        #expect(sessions.pool.counts == counts(idle: 1))
    }
}
