import MultiIdentity
import MultiIdentityLease
import Testing

@Suite("A transaction in a lease", .rule("14.6")) struct LeaseTransactionTests {
    static let bindings = [Session.binding, Session.asynchronousBinding]

    @Test("begins after binding, ends before clearing, and contains savepoints", arguments: [0, 1])
    func steps(_ way: Int) async throws {
        let sessions = Sessions(binding: Self.bindings[way])
        try await sessions.lease(as: newIdentity()) { lease in
            try await lease.withTransaction {
                try await lease.withTransaction { try lease.use { _ in } }
                try? await lease.withTransaction { throw WorkError() }
            }
        }
        let steps = [
            "bind", "begin", "savepoint 1", "release 1", "savepoint 1", "rollback to 1", "commit", "clear", "verify",
        ]
        #expect(sessions.opened.all[0].steps == steps)
    }

    @Test("that was rolled back leaves no setting: its resource is verified whatever the settings", arguments: [0, 1])
    func rolledBack(_ way: Int) async throws {
        let sessions = Sessions(binding: Self.bindings[way]) { $0.verification = .never }
        let ada = try newIdentity()
        for _ in 0..<2 {
            try await sessions.lease(as: ada) { lease in
                await #expect(throws: WorkError.self) {
                    try await lease.withTransaction {
                        try lease.use { $0.become(.nobody) }
                        throw WorkError()
                    }
                }
                let seen = try lease.use { $0.user }
                #expect(seen == ada)
            }
        }
        #expect(sessions.opened.all.count == 1)
        #expect(sessions.opened.all[0].steps.count { $0 == "verify" } == 2)
    }

    @Test("that cannot begin or end makes its resource unusable", arguments: ["begin", "commit", "rollback"])
    func failing(_ step: String) async throws {
        let sessions = Sessions { $0.afterError = .cleared }
        try await sessions.lease(as: newIdentity()) { lease in
            try lease.use { $0.fail(at: step) }
            _ = try? await lease.withTransaction { if step == "rollback" { throw WorkError() } }
            expect(throws: LeaseError.Code.unusable) { try lease.use { _ in } }
        }
        #expect(sessions.closings.all == [.transactionFailed])
        #expect(sessions.opened.all[0].isClosed)
    }

    @Test("is refused if the binding supports no transactions") func none() throws {
        let sessions = Sessions(binding: LeaseBinding(bind: { $0.become($1) }, clear: { $0.become(nil) }))
        expect(throws: LeaseError.Code.noTransactions) {
            try withIdentity(newIdentity()) {
                try sessions.leases.withLeaseBlocking { try $0.withTransactionBlocking {} }
            }
        }
    }
}
