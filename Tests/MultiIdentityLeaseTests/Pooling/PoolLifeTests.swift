import MultiIdentity
import Testing

@testable import MultiIdentityLease

@Suite("A pool and its resources", .rule("14.8"), .timeLimit(.minutes(1))) struct PoolLifeTests {
    @Test("close a resource that is old as soon as no one leases it", arguments: [true, false])
    func maxLifetime(_ isLeased: Bool) async throws {
        let clock = ManualClock()
        let limits = PoolLimits(maxResources: 1, idleTimeout: nil, maxLifetime: .seconds(60), jitter: 0)
        let (sessions, ada) = (Sessions(limits, clock: clock), try newIdentity())
        let age: @Sendable () async -> Void = {
            await clock.pass(.seconds(59))
            #expect(sessions.pool.counts.idle + sessions.pool.counts.leased == 1)
            clock.advance(by: .seconds(1))
            await clock.untilThereSleep(0)
        }
        try await sessions.lease(as: ada) { lease in
            if isLeased { await age() }
            try lease.use { #expect(!$0.isClosed) }
        }
        if !isLeased { await age() }
        await eventually { sessions.pool.counts == counts() }
        #expect(sessions.opened.all.map(\.isClosed) == [true])
        #expect(sessions.closings.all.isEmpty)
    }

    @Test("do not grow old all at once") func jitter() {
        let limits = PoolLimits(maxResources: 1, maxLifetime: .seconds(100), jitter: 0.2)
        let lifetimes = (0..<100).compactMap { _ in limits.checked.nextLifetime }
        #expect(lifetimes.allSatisfy { (.seconds(80)...(.seconds(100))).contains($0) })
        #expect(Set(lifetimes).count > 50)
        for share in [-1, .nan, .infinity, 0] {
            let limits = PoolLimits(maxResources: 1, maxLifetime: .seconds(100), jitter: share)
            #expect(limits.checked.nextLifetime == .seconds(100))
        }
    }

    @Test("close idle resources when evicted, and leased ones when they come back") func evicted() async throws {
        let (sessions, ada) = (Sessions(2), try newIdentity())
        try await withIdentity(ada) {
            try await sessions.leases.withLease { _ in
                try await sessions.leases.withLease { _ in }
                sessions.pool.evict()
                #expect(sessions.opened.all.map(\.isClosed) == [false, true])
            }
            #expect(sessions.opened.all.map(\.isClosed) == [true, true])
            try await sessions.leases.withLease { _ in }
        }
        #expect(sessions.pool.counts == counts(idle: 1))
    }

    @Test("wait for leased resources when closed, or say who has them", arguments: [true, false])
    func closes(_ isInTime: Bool) async throws {
        let (sessions, ada, clock) = (Sessions(2), try newIdentity(), ManualClock())
        let slow = Sessions(2, clock: clock)
        let (leased, goOn) = (Gate(), Gate())
        let pool = isInTime ? sessions : slow
        let lessee = Task {
            try await withIdentity(ada) {
                try await pool.leases.withLease { _ in
                    leased.open()
                    await goOn.wait()
                }
            }
        }
        await leased.wait()
        let closing = Task { try await pool.pool.close(within: .seconds(5)) }
        await eventually { pool.pool.source.ledger.state.withLock { !$0.drainers.isEmpty } }
        if !isInTime {
            await clock.pass(.seconds(5))
            let error = await #expect(throws: LeaseError.self) { try await closing.value }
            #expect(error?.code == .stillLeased)
            #expect(error?.message.contains("\(ada) for 5.0 seconds, at \(#fileID)") == true)
        }
        goOn.open()
        try await lessee.value
        if isInTime { try await closing.value }
        #expect(pool.opened.all.map(\.isClosed) == [true])
        try await pool.pool.close(within: .zero)
    }

    @Test("leave no task asleep for what is over", arguments: ["served", "cancelled", "dropped"])
    func sleepsNoLonger(_ end: String) async throws {
        let clock = ManualClock()
        func lease() async throws {
            let limits = PoolLimits(
                maxResources: 1,
                waitTimeout: .seconds(3_600),
                idleTimeout: end == "dropped" ? .seconds(60) : nil,
                maxLifetime: nil
            )
            let (sessions, ada, bob) = (Sessions(limits, clock: clock), try newIdentity(), try newIdentity("bob"))
            try await sessions.lease(as: bob) { _ in
                if end == "dropped" { return await clock.untilThereSleep(1) }
                let waiting = withIdentity(ada) { Task { try await sessions.leases.withLease { _ in } } }
                await eventually { sessions.pool.counts.waiting == 1 }
                await clock.untilThereSleep(1)
                if end == "served" { return }
                waiting.cancel()
                _ = await waiting.result
            }
            if end != "dropped" { await clock.untilThereSleep(0) }
        }
        try await lease()
        await clock.untilThereSleep(0)
    }

    @Test("tell a waiter that times out the number of resources and the longest lease")
    func refusal() async throws {
        let clock = ManualClock()
        let limits = PoolLimits(maxResources: 2, maxWaiters: 1, waitTimeout: .seconds(5))
        let (sessions, ada, bob) = (Sessions(limits, clock: clock), try newIdentity(), try newIdentity("bob"))
        try await withIdentity(ada) {
            try await sessions.leases.withLease(
                { _ in
                    clock.advance(by: .seconds(1))
                    try await sessions.lease(as: bob) { _ in
                        let nested = await #expect(throws: LeaseError.self) {
                            try await sessions.leases.withLease { _ in }
                        }
                        #expect(nested?.code == .wouldDeadlock)
                        let waiting = Task.detached { try await sessions.lease(as: bob) { _ in } }
                        await eventually { sessions.pool.counts.waiting == 1 }
                        await clock.pass(.seconds(5))
                        let late = await #expect(throws: LeaseError.self) { try await waiting.value }
                        #expect(late?.code == .timedOut)
                        for error in [nested, late] {
                            let message = try #require(error?.message)
                            #expect(message.contains("2 of 2 resources are open, 0 of them idle; 0 callers wait."))
                            #expect(
                                message.contains(
                                    "The longest lease: \(ada) for \(error == nested ? "1" : "6").0 seconds, at App/Orders.swift:40"
                                )
                            )
                        }
                    }
                },
                fileID: "App/Orders.swift",
                line: 40
            )
        }
    }

    @Test("interrupt a lease that lasts too long", .rule("14.4")) func interrupted() async throws {
        let clock = ManualClock()
        let sessions = Sessions(PoolLimits(maxResources: 1, idleTimeout: nil, maxLifetime: nil), clock: clock) {
            $0.maxDuration = .seconds(10)
        }
        try await sessions.lease(as: newIdentity()) { lease in
            try await lease.use { session in
                await clock.pass(.seconds(11))
                await eventually { session.wasInterrupted }
            }
        }
        #expect(sessions.closings.all.count == 1)
        #expect(sessions.opened.all.map(\.isClosed) == [true])
    }

    @Test("notify their observer of each event as nobody, and once of a leak") func observed() async throws {
        let (events, callers, clock) = (Notes<String>(), Notes<Identity?>(), ManualClock())
        let observer = { @Sendable (event: PoolEvent) in
            events.add("\(event)")
            callers.add(Identity.current)
        }
        let failing = Locked(true)
        let sessions = Sessions(
            PoolLimits(maxResources: 1, waitTimeout: .seconds(9), initialBackoff: .zero, leakThreshold: .seconds(5)),
            clock: clock,
            observer: observer,
            opening: { _ in
                clock.advance(by: .seconds(1))
                if failing.withLock({ $0 }) { throw WorkError() }
            }
        )
        let ada = try newIdentity()
        try await withIdentity(ada) {
            await #expect(throws: WorkError.self) { try await sessions.leases.withLease { _ in } }
            failing.withLock { $0 = false }
            try await sessions.leases.withLease(
                { _ in
                    for _ in 0..<3 {
                        await clock.pass(.seconds(3))
                        if clock.now.offset >= .seconds(8) { await eventually { events.all.count > 3 } }
                    }
                },
                fileID: "App/Orders.swift",
                line: 40
            )
            await #expect(throws: WorkError.self) { try await sessions.leases.withLease { _ in throw WorkError() } }
        }
        sessions.pool.shutDown()
        await expect(throws: LeaseError.Code.shutDown) { try await sessions.lease(as: ada) { _ in } }
        let expected = [
            "openingFailed(\(String(reflecting: WorkError())), after: 1.0 seconds)", "opened(after: 1.0 seconds)",
            "leased(after: 1.0 seconds)", "leaked(\(ada) for 6.0 seconds, at App/Orders.swift:40)",
            "returned(after: 9.0 seconds)", "leased(after: 0.0 seconds)", "returned(after: 0.0 seconds)",
            "closed(MultiIdentityLease.PoolEvent.ClosingReason.lease(the work threw))",
        ]
        #expect(Array(events.all.dropLast()) == expected)
        #expect(events.all.last?.contains("refused") == true)
        #expect(Set(callers.all) == [.nobody])
    }
}
