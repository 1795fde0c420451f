import MultiIdentity
import Testing

@testable import MultiIdentityLease

@Suite("A waiter's grant", .timeLimit(.minutes(1))) struct LeaseGrantTests {
    private func ledger(_ sessions: Sessions) -> LeaseLedger { sessions.pool.source.ledger }

    @Test("is an error if the identity was revoked and readmitted meanwhile", .rule("14.7"))
    func readmitted() async throws {
        let sessions = Sessions()
        let ada = try newIdentity()
        try await sessions.lease(as: newIdentity("bob")) { _ in
            let waiter = LeaseWaiter(ada, 1)
            _ = try ledger(sessions).take(waiter)
            ledger(sessions).revoke(ada)
            await #expect(throws: LeaseError.self) { _ = try await waiter.granted() }
        }
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test("leaves no wait in the count after a refusal or a double cancellation", .rule("14.8"))
    func notInLine() async throws {
        let sessions = Sessions(PoolLimits(maxResources: 1, maxWaiters: 1, waitTimeout: nil))
        let ada = try newIdentity()
        try await sessions.lease(as: newIdentity("bob")) { _ in
            let first = LeaseWaiter(ada, 1)
            _ = try ledger(sessions).take(first)
            for _ in 0..<5 {
                let refused = LeaseWaiter(ada, 2)
                expect(throws: LeaseError.Code.tooManyWaiting) { _ = try ledger(sessions).take(refused) }
                ledger(sessions).cancel(refused, CancellationError())
                #expect(sessions.pool.counts == counts(leased: 1, waiting: 1))
            }
            for _ in 0..<2 { ledger(sessions).cancel(first, CancellationError()) }
            #expect(sessions.pool.counts == counts(leased: 1))
        }
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test("is an error if the waiter's actor is revoked", .rule("14.7")) func actor() async throws {
        let (ada, support, sessions) = (try newIdentity(), try newIdentity("support"), Sessions())
        defer { IdentityRevocation.readmit(support) }
        try await sessions.lease(as: newIdentity("bob")) { _ in
            let waiters = [LeaseWaiter(try ada.acted(by: support), 1), LeaseWaiter(ada, 2)]
            for waiter in waiters { _ = try ledger(sessions).take(waiter) }
            IdentityRevocation.revoke(support, for: .signedOut)
            #expect(waiters.map(\.isSettled) == [true, false])
            ledger(sessions).cancel(waiters[1], CancellationError())
        }
    }
}
