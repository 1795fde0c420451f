import MultiIdentity
import Testing

@testable import MultiIdentityLease

@Suite("What is granted to a waiter", .timeLimit(.minutes(1))) struct LeaseGrantTests {
    private func ledger(_ sessions: Sessions) -> LeaseLedger { sessions.pool.source.ledger }

    @Test("goes back to the pool where the waiter had given up before", .rule("14.8"), arguments: [false, true])
    func toNobody(isOpen: Bool) async throws {
        let sessions = Sessions()
        let ada = try newIdentity()
        if isOpen { try await withIdentity(ada) { try await sessions.leases.withLease { _ in } } }
        let waiter = LeaseWaiter(ada, 1, until: nil)
        ledger(sessions).cancel(waiter, CancellationError())
        try ledger(sessions).enqueue(waiter)
        #expect(sessions.pool.counts == counts(idle: isOpen ? 1 : 0))
        try await withIdentity(ada) { try await sessions.leases.withLease { _ in } }
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test("is nothing, and an error, where the identity was revoked and readmitted meanwhile", .rule("14.7"))
    func readmitted() async throws {
        let sessions = Sessions()
        let ada = try newIdentity()
        try await withIdentity(newIdentity("bob")) {
            try await sessions.leases.withLease { _ in
                let waiter = LeaseWaiter(ada, 1, until: nil)
                try ledger(sessions).enqueue(waiter)
                ledger(sessions).revoke(ada)
                await #expect(throws: LeaseError.self) { _ = try await waiter.granted() }
            }
        }
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test("is not counted as waited for where the waiter had gone, or was refused", .rule("14.8"))
    func notInLine() async throws {
        let clock = ManualClock()
        let sessions = Sessions(LeasePoolLimits(resources: 1, waiting: 1, wait: nil), clock: clock)
        let ada = try newIdentity()
        // Granted at once, and gone already: five times.
        for _ in 0..<5 {
            let waiter = LeaseWaiter(ada, 1, until: nil)
            ledger(sessions).cancel(waiter, CancellationError())
            try ledger(sessions).enqueue(waiter)
        }
        try await withIdentity(newIdentity("bob")) {
            try await sessions.leases.withLease { _ in
                let first = LeaseWaiter(ada, 1, until: nil)
                try ledger(sessions).enqueue(first)
                #expect(sessions.pool.counts == counts(leased: 1, waiting: 1))
                for _ in 0..<5 {
                    let refused = LeaseWaiter(ada, 2, until: nil)
                    expect(throws: LeaseError.Code.tooManyWaiting) { try ledger(sessions).enqueue(refused) }
                    ledger(sessions).cancel(refused, CancellationError())
                    #expect(sessions.pool.counts == counts(leased: 1, waiting: 1))
                }
                ledger(sessions).cancel(first, CancellationError())
                #expect(sessions.pool.counts == counts(leased: 1))
            }
        }
        #expect(sessions.pool.counts == counts(idle: 1))
    }
}
