import MultiIdentity
import MultiIdentityLease
import Testing

@Suite("A leased resource") struct LeaseTests {
    @Test("is bound to its lessee before the work sees it, and to nobody afterwards", .rule("14.1"))
    func bound() async throws {
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        for binding in [Session.binding, Session.asynchronousBinding] {
            let sessions = Sessions(binding: binding)
            for identity in [ada, bob, ada, .nobody] {
                let seen = try await sessions.lease(as: identity) { lease in
                    #expect(lease.lessee == identity)
                    return try lease.use { $0.user }
                }
                #expect(seen == identity)
                #expect(sessions.opened.all.map(\.user) == [nil])
            }
            #expect(
                sessions.opened.all[0].steps == Array(repeating: ["bind", "clear", "verify"], count: 4).flatMap(\.self)
            )
            #expect(sessions.closings.all.isEmpty)
        }
    }

    @Test("is leased by synchronous code as well", .rule("14.1"))
    func synchronous() throws {
        let (sessions, ada) = (Sessions(), try newIdentity())
        let seen = try withIdentity(ada) { try sessions.leases.withLeaseBlocking { try $0.use { $0.user } } }
        #expect(seen == ada)
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test("needs asynchronous code if its closures are asynchronous", .rule("14.1"))
    func requiresAsync() throws {
        let sessions = Sessions(binding: Session.asynchronousBinding)
        expect(throws: LeaseError.Code.requiresAsync) {
            try withIdentity(.nobody) { try sessions.leases.withLeaseBlocking { _ in } }
        }
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test("is opened and closed as nobody, since it serves many identities", .rule("14.1"))
    func openedAsNobody() async throws {
        let sessions = Sessions()
        await #expect(throws: WorkError.self) { try await sessions.lease(as: newIdentity()) { _ in throw WorkError() } }
        #expect(sessions.openedAs.all == [.nobody])
        #expect(sessions.closedAs.all == [.nobody])
    }

    @Test("without a bound identity is refused or leased as nobody, as set", .rule("14.2"))
    func withoutIdentity() async throws {
        let refusing = Sessions()
        await expect(throws: LeaseError.Code.noIdentity) {
            try await withIdentityLevels(IdentityLevels()) {
                try await withIdentity(nil) { try await refusing.leases.withLease { _ in } }
            }
        }
        #expect(refusing.opened.all.isEmpty)
        let binding = Sessions { $0.withoutIdentity = .asNobody }
        try await withIdentity(newIdentity()) { try await binding.leases.withLease { _ in } }
        let seen = try await withIdentityLevels(IdentityLevels()) {
            try await withIdentity(nil) { try await binding.leases.withLease { try $0.use { $0.user } } }
        }
        #expect(seen == .nobody)
    }

    @Test("is the process's if only that level is set", .rule("14.2"))
    func ofTheProcess() async throws {
        let (sessions, ada) = (Sessions(), try newIdentity())
        let seen = try await withIdentityLevels(process: ada) {
            try await sessions.lease(as: nil) { try $0.use { $0.user } }
        }
        #expect(seen == ada)
    }

    @Test("is used by its lessee's work only", .rule("14.3"))
    func wrongIdentity() async throws {
        let (sessions, ada, bob) = (Sessions(), try newIdentity(), try newIdentity("bob"))
        try await sessions.lease(as: ada) { lease in
            for other in [bob, Identity.nobody, try ada.acted(by: bob)] {
                expect(throws: LeaseError.Code.wrongIdentity) {
                    try withIdentity(other) { try lease.use { _ in Issue.record("used by another") } }
                }
            }
            try lease.use { _ in }
        }
    }

    @Test("cannot be used once the lease has ended, however it was kept", .rule("14.3"))
    func late() async throws {
        let sessions = Sessions { $0.trapsOnLateUse = false }
        try await withIdentity(newIdentity()) {
            let kept = try await sessions.leases.withLease { lease in
                try lease.reference.use { #expect($0.user == Identity.current) }
                return lease.reference
            }
            expect(throws: LeaseError.Code.ended) { try kept.use { _ in Issue.record("used too late") } }
            // The next lease of the same resource by the same identity is a different lease.
            try await sessions.leases.withLease { _ in
                #expect(throws: LeaseError.self) { try kept.use { _ in Issue.record("used too late") } }
            }
        }
        #expect(sessions.closings.all.isEmpty)
    }

    #if !os(iOS) && !os(tvOS) && !os(visionOS) && DEBUG
    @Test("stops a debug build if it is used too late", .rule("14.3"))
    func lateTraps() async {
        await #expect(processExitsWith: .failure) {
            let sessions = Sessions()
            try await withIdentity(.nobody) {
                let kept = try await sessions.leases.withLease { $0.reference }
                try kept.use { _ in }
            }
        }
    }
    #endif
}

func counts(idle: Int = 0, leased: Int = 0, waiting: Int = 0) -> [Int] { [idle, leased, waiting] }

func == (counts: PoolCounts, expected: [Int]) -> Bool {
    [counts.idle, counts.leased, counts.waiting] == expected
}
