import MultiIdentity
import MultiIdentityLease
import Testing

@Suite("A pool of leases") struct ResourcePoolTests {
    @Test("never leases more resources than allowed, and returns each", .rule("14.8"))
    func bounded() async throws {
        let sessions = Sessions(3)
        let (out, most) = (Locked(0), Locked(0))
        let identities = try (0..<20).map { _ in try newIdentity() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    try await sessions.lease(as: identities[number % 20]) { lease in
                        let now = out.next()
                        most.withLock { $0 = max($0, now) }
                        await Task.yield()
                        let seen = try lease.use { $0.user }
                        #expect(seen == identities[number % 20])
                        out.withLock { $0 -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(most.withLock { $0 } <= 3)
        #expect(sessions.opened.all.count <= 3)
        #expect(sessions.pool.counts == counts(idle: sessions.opened.all.count))
    }

    @Test("refuses a nested lease rather than let it wait for itself", .rule("14.5"))
    func nested() async throws {
        let sessions = Sessions(2)
        try await sessions.lease(as: newIdentity()) { outer in
            let first = try outer.use { $0.number }
            try await sessions.leases.withLease { inner in
                let seen = try inner.use { $0.number }
                #expect(seen != first)
                await expect(throws: LeaseError.Code.wouldDeadlock) {
                    try await sessions.leases.withLease { _ in }
                }
            }
        }
        #expect(sessions.pool.counts == counts(idle: 2))
    }

    @Test("releases waiters that are cancelled or time out", .rule("14.8"))
    func givesUp() async throws {
        let clock = ManualClock()
        let sessions = Sessions(PoolLimits(maxResources: 1, maxWaiters: 2, waitTimeout: .seconds(5)), clock: clock)
        let ada = try newIdentity()
        try await sessions.lease(as: newIdentity("bob")) { _ in
            let waiting = withIdentity(ada) {
                (0..<2).map { _ in Task { try await sessions.leases.withLease { _ in } } }
            }
            await eventually { sessions.pool.counts == counts(leased: 1, waiting: 2) }
            let tooMany = Task { try await sessions.lease(as: ada) { _ in } }
            await expect(throws: LeaseError.Code.tooManyWaiting) { try await tooMany.value }
            waiting[0].cancel()
            await #expect(throws: CancellationError.self) { try await waiting[0].value }
            await eventually { sessions.pool.counts == counts(leased: 1, waiting: 1) }
            await clock.pass(.seconds(5))
            await expect(throws: LeaseError.Code.timedOut) { try await waiting[1].value }
        }
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test("closes resources that were idle for too long", .rule("14.8"))
    func idle() async throws {
        let clock = ManualClock()
        let sessions = Sessions(PoolLimits(maxResources: 1, idleTimeout: .seconds(60)), clock: clock)
        try await sessions.lease(as: newIdentity()) { _ in }
        // The pool checks four times in that period, and first sees that the resource is idle.
        for _ in 0..<5 {
            await clock.untilThereSleep(1)
            #expect(!sessions.opened.all[0].isClosed)
            clock.advance(by: .seconds(15))
        }
        await eventually { sessions.pool.counts == counts() }
        #expect(sessions.opened.all[0].isClosed)
        await clock.untilThereSleep(0)
    }

    @Test("that is shut down refuses callers, and closes leased resources when they come back", .rule("14.8"))
    func shutDown() async throws {
        let sessions = Sessions(1)
        let ada = try newIdentity()
        try await withIdentity(ada) {
            try await sessions.leases.withLease { lease in
                let waiting = Task { try await sessions.leases.withLease { _ in } }
                await eventually { sessions.pool.counts == counts(leased: 1, waiting: 1) }
                #expect(sessions.pool.shutDown() == 1)
                await expect(throws: LeaseError.Code.shutDown) { try await waiting.value }
                try lease.use { _ in }
            }
            await #expect(throws: LeaseError.self) { try await sessions.leases.withLease { _ in } }
        }
        #expect(sessions.opened.all[0].isClosed)
        #expect(sessions.pool.counts == counts())
    }

    enum WaitsEnd: CaseIterable { case served, late, shutDown }

    @Test(
        "blocks the thread of synchronous code until it gets a resource or an error",
        .rule("14.8"),
        arguments: WaitsEnd.allCases
    )
    func blocking(_ end: WaitsEnd) async throws {
        let wait: Duration? = end == .late ? .milliseconds(20) : nil
        let sessions = Sessions(PoolLimits(maxResources: 1, maxWaiters: 1, waitTimeout: wait))
        let bob = try newIdentity("bob")
        let waiting = try await sessions.lease(as: newIdentity()) { _ in
            let waiting = Task {
                await onNewThread {
                    Result {
                        try withIdentity(bob) { try sessions.leases.withLeaseBlocking { try $0.use { $0.user } } }
                    }
                }
            }
            if end == .late { _ = await waiting.value }
            if end != .late { await eventually { sessions.pool.counts == counts(leased: 1, waiting: 1) } }
            if end == .shutDown { sessions.pool.shutDown() }
            return waiting
        }
        switch await waiting.value {
        case .success(let user): #expect(user == bob && end == .served)
        case .failure(let error): #expect((error as? LeaseError)?.code == (end == .late ? .timedOut : .shutDown))
        }
        #expect(sessions.pool.counts == counts(idle: end == .shutDown ? 0 : 1))
        #expect(sessions.opened.all.map(\.isClosed) == [end == .shutDown])
    }

    @Test("that opens asynchronously opens and closes as nobody, and blocks no thread", .rule("14.8"))
    func filledAsynchronously() async throws {
        let (openedAs, closedAs) = (Notes<Identity?>(), Notes<Identity?>())
        let pool = ResourcePool<Session>(
            1,
            clock: ManualClock(),
            open: { () async throws -> Session in
                await Task.yield()
                openedAs.add(Identity.current)
                return Session(0)
            },
            close: { _ in closedAs.add(Identity.current) }
        )
        let leases = IdentityPool(of: pool, binding: Session.binding)
        let ada = try newIdentity()
        expect(throws: LeaseError.Code.requiresAsync) {
            try withIdentity(ada) { try leases.withLeaseBlocking { _ in Issue.record("leased") } }
        }
        #expect(pool.counts == counts())
        try await withIdentity(ada) {
            try await leases.withLease { lease in
                let user = try lease.use { $0.user }
                #expect(user == ada)
            }
        }
        // An existing resource is leased to any identity.
        let user = try withIdentity(ada) { try leases.withLeaseBlocking { lease in try lease.use { $0.user } } }
        #expect(user == ada)
        #expect(pool.shutDown() == 0)
        #expect([openedAs.all, closedAs.all] == [[.nobody], [.nobody]])
    }

    @Test(
        "of another library gets clean resources back, closes the others, and is called as nobody",
        .rule("14.8"),
        arguments: [false, true]
    )
    func somebodyElses(_ isAsynchronous: Bool) async throws {
        let (calls, callers, lessees, back) = (
            Notes<String>(), Notes<Identity?>(), Notes<Identity>(), Notes<Identity?>()
        )
        let note: @Sendable (String) -> Void = { call in
            calls.add(call)
            callers.add(Identity.current)
        }
        let acquire: @Sendable (Identity) -> Session = { lessee in
            note("acquire")
            lessees.add(lessee)
            return Session(0)
        }
        let release: @Sendable (Session) -> Void = { session in
            note("release")
            back.add(session.user)
        }
        let (destroy, interrupt) = (
            { @Sendable (_: Session) in note("destroy") }, { @Sendable (_: Session) in note("interrupt") }
        )
        let acquireAwaited: @Sendable (Identity) async throws -> Session = { lessee in
            await Task.yield()
            return acquire(lessee)
        }
        let leases =
            isAsynchronous
            ? IdentityPool(
                around: LeaseSource(acquire: acquireAwaited, release: release, destroy: destroy, interrupt: interrupt),
                binding: Session.asynchronousBinding
            )
            : IdentityPool(
                around: LeaseSource(acquire: acquire, release: release, destroy: destroy, interrupt: interrupt),
                binding: Session.binding
            )
        let (ada, eve) = (try newIdentity(), try newIdentity("eve"))
        defer { IdentityRevocation.readmit(eve) }
        try await withIdentity(ada) {
            try await leases.withLease { _ in }
            await #expect(throws: WorkError.self) { try await leases.withLease { _ in throw WorkError() } }
        }
        await expect(throws: IdentityError.Code.revoked) {
            try await withIdentity(eve) {
                try await leases.withLease { lease in
                    _ = IdentityRevocation.revoke(eve, for: .signedOut)
                    try lease.use { _ in }
                }
            }
        }
        #expect(calls.all == ["acquire", "release", "acquire", "destroy", "acquire", "interrupt", "destroy"])
        #expect(Set(callers.all) == [.nobody])
        #expect(lessees.all == [ada, ada, eve])
        #expect(back.all == [nil])
    }
}
