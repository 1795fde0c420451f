import CarriedNIOCalls
import MultiIdentity
import MultiIdentityTesting
import NIOCore
import NIOIdentity
import NIOPosix
import Testing

/// swift-nio's executors with the adapters, and what is known about them.
enum Executor: String, CaseIterable, Sendable {
    case threadPool, runIfActive, eventLoop, scheduled

    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 1)  // one, so that plain work runs on the same worker
        pool.start()
        return pool
    }()
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private var loop: any EventLoop { Self.group.next() }

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
        }
    }
}

@Suite("An executor of swift-nio") struct ExecutorConformanceTests {
    private static let loop = MultiThreadedEventLoopGroup.singleton.next()

    @Test("keeps each promise with the adapter", arguments: Executor.allCases, BoundaryPromise.allCases)
    func carried(_ executor: Executor, _ promise: BoundaryPromise) async throws {
        try await promise.check(on: executor.carried)
    }

    @Test(
        "keeps each promise at every plain call of a module with the plugin, which calls the adapter",
        arguments: CarriedNIOCalls.NIOCall.allCases,
        BoundaryPromise.allCases
    )
    func calls(_ call: CarriedNIOCalls.NIOCall, _ promise: BoundaryPromise) async throws {
        let boundary = BoundaryConformance("\(call)", capturedWhen: .registered) { call.handOver($0, on: Self.loop) }
        try await promise.check(on: boundary)
    }

    @Test(
        "loses the identity without it, with who acts for it and its end, and the suite says so",
        arguments: NIOCall.allCases,
        [BoundaryPromise.carriesAName, .carriesActorAndVerification, .keepsEveryCapture, .runsNothingAsTheRevoked]
    )
    func plain(_ call: NIOCall, _ promise: BoundaryPromise) async throws {
        let boundary = BoundaryConformance("plain \(call)") { call.handOver($0, on: Self.loop)() }
        let violation = await #expect(throws: BoundaryViolation.self) { try await promise.check(on: boundary) }
        #expect(violation?.promise == promise)
    }

    @Test("keeps every task-local with the adapter, if all are carried, and none without")
    func everyTaskLocal() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            for call in CarriedNIOCalls.NIOCall.allCases {
                let seen = await Bound.seen { call.handOver($0, on: loop) }
                #expect(seen == 7, "\(call)")
            }
            let plain = await Bound.seen { NIOCall.execute.handOver($0, on: loop) }
            #expect(plain == 0)
        }
    }

    private enum Bound {
        @TaskLocal static var number = 0

        static func seen(_ handOver: (@escaping @Sendable () -> Void) -> @Sendable () -> Void) async -> Int {
            await withCheckedContinuation { continuation in
                $number.withValue(7) { handOver { continuation.resume(returning: number) } }()
            }
        }
    }
}
