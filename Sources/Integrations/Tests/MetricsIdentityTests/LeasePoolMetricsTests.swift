import Metrics
import MetricsIdentity
import MetricsTestKit
import MultiIdentity
import MultiIdentityLease
import Synchronization
import Testing

@Suite("A pool of leases as metrics", .timeLimit(.minutes(1))) struct LeasePoolMetricsTests {
    /// A clock that is put forward by hand.
    private final class ClockByHand: Clock {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }
        var minimumResolution: Duration { .zero }

        func putForward(by duration: Duration) { time.withLock { $0 += duration } }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
            while now < deadline {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    private struct Failure: Error {}

    @Test("says how long callers wait and lease, who was refused, and what became of the resources")
    func countsAndTimes() async throws {
        let (metrics, clock, ada) = (TestMetrics(), ClockByHand(), try Identity("ada@contoso.com"))
        let tries = Atomic(0)
        let exported = LeasePoolMetrics(of: "notes", factory: metrics)
        let limits = PoolLimits(
            maxResources: 1,
            idleTimeout: nil,
            maxLifetime: nil,
            initialBackoff: .zero,
            leakThreshold: .seconds(60)
        )
        // The first cannot be opened, and each takes three seconds.
        let pool = ResourcePool(
            limits,
            clock: clock,
            open: {
                clock.putForward(by: .seconds(3))
                guard tries.add(1, ordering: .relaxed).oldValue > 0 else { throw Failure() }
            },
            close: {},
            observer: exported.observer
        )
        let leases = IdentityPool(of: pool, binding: LeaseBinding(bind: { _, _ in }, clear: {}))
        @Sendable func lease(_ work: @Sendable () async throws -> Void = {}) async throws {
            try await withIdentity(ada) { try await leases.withLease { _ in try await work() } }
        }
        let holdTooLong = { @Sendable in
            let waiter = Task.detached { try await lease() }
            while pool.counts.waiting == 0 { await Task.yield() }
            exported.record(pool.counts)
            clock.putForward(by: .seconds(30))
            _ = await waiter.result
            clock.putForward(by: .seconds(31))
            while !metrics.counters.contains(where: { $0.label.hasSuffix("leaks") }) { await Task.yield() }
            throw Failure()
        }

        await #expect(throws: Failure.self) { try await lease() }
        await #expect(throws: Failure.self) { try await lease(holdTooLong) }
        try await lease()
        exported.record(pool.counts)
        pool.shutDown()

        let notes = ("pool", "notes")
        func counter(_ name: String, _ reason: String? = nil) throws -> Int64 {
            let dimensions = [notes] + (reason.map { [("reason", $0)] } ?? [])
            return try metrics.expectCounter("multi_identity_pool_\(name)", dimensions).totalValue
        }
        func values(_ name: String) throws -> [Double] {
            try metrics.expectMeter("multi_identity_pool_\(name)", [notes]).values
        }
        func seconds(_ name: String) throws -> [Int64] {
            try metrics.expectTimer("multi_identity_pool_\(name)_duration", [notes]).values.map { $0 / 1_000_000_000 }
        }
        #expect(try seconds("wait") == [3, 3])
        #expect(try seconds("lease") == [61, 0])
        #expect(try seconds("opening") == [3, 3])
        #expect(
            try [values("total"), values("leased"), values("idle"), values("waiting")] == [
                [1, 1], [1, 0], [0, 1], [1, 0],
            ]
        )
        #expect(try counter("refusals", "timedOut") == 1)
        #expect(try counter("closings", "lease") == 1)
        #expect(try counter("closings", "shutDown") == 1)
        #expect(try counter("failed_openings") == 1)
        #expect(try counter("leaks") == 1)
        #expect(metrics.counters.count == 5)
    }
}
