import MultiIdentity
import MultiIdentityTesting
import NIOCore
import NIOIdentity
import NIOPosix
import Testing

/// swift-nio's executors, with the adapters and without.
enum Executor: String, CaseIterable, Sendable {
    case threadPool, runIfActive, eventLoop, scheduled, future

    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 1)  // one, so that plain work runs on the same worker
        pool.start()
        return pool
    }()
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private var loop: any EventLoop { Self.group.next() }

    /// With the adapter.
    var carried: BoundaryConformance {
        switch self {
        case .threadPool:
            BoundaryConformance("NIOThreadPool") { work in Self.pool.propagatingIdentity.submit { _ in work() } }
                .running(on: .reachable { work in Self.pool.submit { _ in work() } })
        case .runIfActive:
            BoundaryConformance("NIOThreadPool.runIfActive") { [loop] work in
                _ = Self.pool.propagatingIdentity.runIfActive(eventLoop: loop, work)
            }
            .running(on: .reachable { work in Self.pool.submit { _ in work() } })
            .throwing { [loop] work in _ = Self.pool.propagatingIdentity.runIfActive(eventLoop: loop, work) }
            .returning { [loop] work in
                try Self.pool.propagatingIdentity.runIfActive(eventLoop: loop, work).wait()
            }
        case .eventLoop:
            BoundaryConformance("EventLoop.execute") { [loop] work in loop.propagatingIdentity.execute(work) }
                .running(on: .reachable { [loop] work in loop.execute(work) })
                .throwing { [loop] work in _ = loop.propagatingIdentity.submit(work) }
                .returning { [loop] work in try loop.propagatingIdentity.submit(work).wait() }
        case .scheduled:
            BoundaryConformance("EventLoop.scheduleTask") { [loop] work in
                loop.propagatingIdentity.scheduleTask(in: .microseconds(10), work)
            }.dropping { [loop] work in
                loop.propagatingIdentity.scheduleTask(in: .hours(1), work).cancel()
            }
        case .future:
            BoundaryConformance("EventLoopFuture.whenComplete", capturedWhen: .registered) { [loop] work in
                let promise = loop.makePromise(of: Void.self)
                promise.futureResult.whenCompletePropagatingIdentity { _ in work() }
                return { promise.succeed() }
            }
        }
    }

    /// Without.
    var plain: BoundaryConformance {
        BoundaryConformance("plain \(rawValue)") { [loop] work in
            switch self {
            case .threadPool: Self.pool.submit { _ in work() }
            case .runIfActive: _ = Self.pool.runIfActive(eventLoop: loop, work)
            case .eventLoop: loop.execute(work)
            case .scheduled: loop.scheduleTask(in: .microseconds(10), work)
            case .future: loop.makeSucceededVoidFuture().whenComplete { _ in work() }
            }
        }
    }
}

@Suite("An executor of swift-nio") struct ExecutorConformanceTests {
    @Test("keeps each promise with the adapter", arguments: Executor.allCases, BoundaryPromise.allCases)
    func carried(_ executor: Executor, _ promise: BoundaryPromise) async throws {
        try await promise.check(on: executor.carried)
    }

    @Test(
        "loses the identity without it, with who acts for it and its end, and the suite says so",
        arguments: Executor.allCases,
        [BoundaryPromise.carriesAName, .carriesActorAndVerification, .keepsEveryCapture, .runsNothingAsTheRevoked]
    )
    func plain(_ executor: Executor, _ promise: BoundaryPromise) async throws {
        let violation = await #expect(throws: BoundaryViolation.self) { try await promise.check(on: executor.plain) }
        #expect(violation?.promise == promise)
    }
}
