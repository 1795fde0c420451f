import MultiIdentity
import Testing

@testable import MultiIdentityLease

@Suite("A pool whose resources open slowly, fail or die", .rule("14.8"), .timeLimit(.minutes(1)))
struct PoolOpeningTests {
    /// A pool of one resource, in which one step takes as long as its gate is closed.
    private func slow(_ step: String, _ gate: Gate, _ clock: ManualClock, _ opened: Notes<Session>) -> IdentityPool<
        Session
    > {
        let waits: @Sendable (String) async -> Void = { if $0 == step { await gate.wait() } }
        let pool = ResourcePool<Session>(
            PoolLimits(maxResources: 1, waitTimeout: .seconds(5), idleTimeout: nil, maxLifetime: nil),
            clock: clock,
            open: { () async throws -> Session in
                await waits("open")
                let session = Session(opened.all.count)
                opened.add(session)
                return session
            },
            close: { $0.close() },
            interrupt: { $0.interrupt() },
            isAlive: { _ in true }
        )
        let binding = LeaseBinding<Session>(
            bind: { (session: Session, identity: Identity) async in
                await waits("bind")
                session.become(identity)
            },
            clear: { (session: Session) async in
                await waits("clear")
                session.become(nil)
            }
        )
        return IdentityPool(of: pool, binding: binding)
    }

    @Test("makes no caller wait beyond the timeout", arguments: ["open", "bind", "clear"])
    func limited(_ step: String) async throws {
        let (gate, clock, opened) = (Gate(), ManualClock(), Notes<Session>())
        let leases = slow(step, gate, clock, opened)
        let (ada, bob) = (try newIdentity(), try newIdentity("bob"))
        let first = Task { try await withIdentity(ada) { try await leases.withLease { _ in } } }
        await gate.untilThereCame(1)
        await clock.pass(.seconds(5))
        if step == "clear" {
            // The result of the work counts.
            try await first.value
        } else {
            await expect(throws: LeaseError.Code.timedOut) { try await first.value }
        }
        // A resource that was opened meanwhile serves the next caller; one that was being bound or cleared is closed.
        gate.open()
        let user = try await withIdentity(bob) { try await leases.withLease { try $0.use { $0.user } } }
        #expect(user == bob)
        #expect(opened.all.map(\.isClosed) == (step == "open" ? [false] : [true, false]))
        #expect(opened.all[0].wasInterrupted == (step != "open"))
        await clock.untilThereSleep(0)
    }

    @Test("releases a caller that is cancelled or revoked while it opens a resource", arguments: [true, false])
    func leaves(_ isCancelled: Bool) async throws {
        let (gate, clock, opened) = (Gate(), ManualClock(), Notes<Session>())
        let leases = slow("open", gate, clock, opened)
        let ada = try newIdentity()
        defer { IdentityRevocation.readmit(ada) }
        let first = Task { try await withIdentity(ada) { try await leases.withLease { _ in } } }
        await gate.untilThereCame(1)
        if isCancelled { first.cancel() } else { IdentityRevocation.revoke(ada, for: .signedOut) }
        await #expect(throws: (any Error).self) { try await first.value }
        gate.open()
        try await withIdentity(newIdentity("bob")) { try await leases.withLease { _ in } }
        #expect(opened.all.count == 1)
    }

    @Test("retries after a growing delay for all waiters, and ends each wait in time")
    func backsOff() async throws {
        let (clock, tries) = (ManualClock(), Notes<Duration>())
        let limits = PoolLimits(
            maxResources: 4,
            waitTimeout: .seconds(5),
            idleTimeout: nil,
            maxLifetime: nil,
            initialBackoff: .seconds(1),
            maxBackoff: .seconds(2)
        )
        let sessions = Sessions(
            limits,
            clock: clock,
            opening: { _ in
                tries.add(clock.now.offset)
                throw WorkError()
            }
        )
        let ada = try newIdentity()
        let first = Task { try await sessions.lease(as: ada) { _ in } }
        await #expect(throws: WorkError.self) { try await first.value }
        let others = (0..<20).map { _ in
            Task { () -> String in
                do { try await sessions.lease(as: ada) { _ in } } catch {
                    return error is WorkError ? "failed" : "\(error)"
                }
                return "leased"
            }
        }
        await eventually { sessions.pool.counts.waiting == 20 }
        for tick in 1...20 {
            await clock.pass(.milliseconds(250))
            if tick == 4 { await eventually { tries.all.count == 2 } }
            await eventually { sessions.pool.counts.leased == 0 }
        }
        var ends: [String] = []
        for other in others { ends.append(await other.value) }
        // 1, 2, 2 and 2 seconds at most, and half of that at least.
        #expect((3...6).contains(tries.all.count), "\(tries.all)")
        #expect(ends.count { $0 == "failed" } == tries.all.count - 1)
        let late = ends.filter { $0.contains("timedOut") && $0.contains("WorkError") }
        #expect(late.count == 20 - (tries.all.count - 1), "\(ends)")
    }

    @Test("gives each caller another resource for a dead one", arguments: ["bind", "isAlive", "isAlive throws"])
    func dead(_ way: String) async throws {
        let (dead, clock) = (Locked(0), ManualClock())
        let isDead: @Sendable (Session) -> Bool = { session in dead.withLock { session.number < $0 } }
        let isAlive: @Sendable (Session) throws -> Bool = { session in
            if way == "isAlive" || !isDead(session) { return !isDead(session) }
            throw WorkError()
        }
        let sessions = Sessions(
            PoolLimits(maxResources: 8, aliveCheck: .seconds(1)),
            clock: clock,
            binding: LeaseBinding(
                bind: { session, identity in
                    if isDead(session) { throw WorkError() }
                    session.become(identity)
                },
                clear: { $0.become(nil) }
            ),
            isAlive: way == "bind" ? nil : isAlive
        )
        let ada = try newIdentity()
        let out = Gate()
        let tasks = (0..<8).map { _ in
            Task { try await sessions.lease(as: ada) { _ in await out.wait() } }
        }
        await out.untilThereCame(8)
        out.open()
        for task in tasks { try await task.value }
        dead.withLock { $0 = 8 }
        clock.advance(by: .seconds(1))
        for number in 0..<20 {
            try await withIdentity(ada) {
                if number % 2 == 0 {
                    try await sessions.leases.withLease { _ in }
                } else {
                    try sessions.leases.withLeaseBlocking { _ in }
                }
            }
        }
        #expect(sessions.opened.all.count == 9)
        #expect(sessions.opened.all.count { $0.isClosed } == 8)
        // A resource that was opened for the caller is not checked again.
        dead.withLock { $0 = .max }
        await #expect(throws: WorkError.self) { try await sessions.lease(as: ada) { _ in } }
        #expect(sessions.pool.counts == counts())
    }

    @Test("opens some resources in advance, as nobody") func minIdle() async throws {
        let sessions = Sessions(PoolLimits(maxResources: 4, idleTimeout: .seconds(4), minIdle: 2))
        await eventually { sessions.pool.counts == counts(idle: 2) }
        #expect(sessions.openedAs.all == [.nobody, .nobody])
        #expect(sessions.opened.all.map(\.steps) == [[], []])
        try await sessions.lease(as: newIdentity()) { _ in
            await eventually { sessions.pool.counts == counts(idle: 2, leased: 1) }
        }
        sessions.pool.evict()
        await eventually { sessions.pool.counts == counts(idle: 2) }
        #expect(sessions.opened.all.map(\.isClosed) == [true, true, true, false, false])
    }

    @Test("opens no more in advance than it should, whatever is requested while one arrives")
    func arriving() async throws {
        let pool = Locked<ResourcePool<Session>?>(nil)
        let observer = { @Sendable (event: PoolEvent) in
            // It is open, but not yet idle.
            if case .opened = event { pool.withLock { $0 }?.source.ledger.fillIdle() }
        }
        let sessions = Sessions(PoolLimits(maxResources: 4, idleTimeout: nil, minIdle: 1), observer: observer)
        await eventually { sessions.pool.counts == counts(idle: 1) }
        pool.withLock { $0 = sessions.pool }
        sessions.pool.evict()
        await eventually { sessions.pool.counts.idle > 0 }
        #expect(sessions.pool.counts == counts(idle: 1))
        pool.withLock { $0 = nil }
    }

    @Test("opens all of them once the first can be opened again") func opensTheRest() async throws {
        let (clock, failures) = (ManualClock(), Locked(2))
        let sessions = Sessions(
            PoolLimits(
                maxResources: 4,
                idleTimeout: nil,
                maxLifetime: nil,
                minIdle: 2,
                initialBackoff: .seconds(1),
                maxBackoff: .seconds(1)
            ),
            clock: clock,
            opening: { _ in
                let fails = failures.withLock { failures in
                    failures -= 1
                    return failures >= 0
                }
                if fails { throw WorkError() }
            }
        )
        await eventually { failures.withLock { $0 } == 0 && sessions.pool.counts == counts() }
        await clock.pass(.seconds(1))
        await eventually { sessions.pool.counts == counts(idle: 2) }
    }
}
