import MultiIdentity
import MultiIdentityTesting
import NIOCore
import NIOIdentity
import NIOPosix
import Testing

/// swift-nio's executors, with the adapters and without.
enum Executor: String, CaseIterable, Sendable {
    case threadPool, runIfActive, eventLoop, scheduled, scheduledAt, repeated, future

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
        case .scheduledAt:
            BoundaryConformance("EventLoop.scheduleTask, at a time") { [loop] work in
                loop.propagatingIdentity.scheduleTask(deadline: .now(), work)
            }
        case .repeated:
            BoundaryConformance("EventLoop.scheduleRepeatedTask") { [loop] work in
                loop.propagatingIdentity.scheduleRepeatedTask(initialDelay: .zero, delay: .hours(1)) { repeated in
                    work()
                    repeated.cancel()
                }
            }
        case .future: Callback.whenComplete.carried(on: loop)
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
            case .scheduledAt: loop.scheduleTask(deadline: .now(), work)
            case .repeated: loop.scheduleRepeatedTask(initialDelay: .zero, delay: .hours(1)) { _ in work() }
            case .future: loop.makeSucceededVoidFuture().whenComplete { _ in work() }
            }
        }
    }
}

/// The callbacks of a future, with the adapter.
enum Callback: String, CaseIterable, Sendable {
    case map, flatMap, flatMapThrowing, flatMapResult, whenSuccess, always, whenComplete
    case flatMapError, flatMapErrorThrowing, recover, whenFailure

    func carried(on loop: any EventLoop) -> BoundaryConformance {
        BoundaryConformance("EventLoopFuture.\(rawValue)", capturedWhen: .registered) { register($0, on: loop) }
    }

    /// Registers `work`, and returns what completes the promise.
    func register(_ work: @escaping @Sendable () -> Void, on loop: any EventLoop) -> @Sendable () -> Void {
        let promise = loop.makePromise(of: Void.self)
        follow(promise.futureResult.propagatingIdentity, work)
        let isForErrors = [Callback.flatMapError, .flatMapErrorThrowing, .recover, .whenFailure].contains(self)
        return { isForErrors ? promise.fail(CancellationError()) : promise.succeed() }
    }

    private func follow(_ future: IdentityFuture<Void>, _ work: @escaping @Sendable () -> Void) {
        let loop = future.base.eventLoop
        switch self {
        case .map: _ = future.map(work)
        case .flatMap: _ = future.flatMap { loop.makeSucceededFuture(work()) }
        case .flatMapThrowing: _ = future.flatMapThrowing(work)
        case .flatMapResult: _ = future.flatMapResult { Result<Void, any Error>.success(work()) }
        case .whenSuccess: future.whenSuccess(work)
        case .always: _ = future.always { _ in work() }
        case .whenComplete: future.whenComplete { _ in work() }
        case .flatMapError: _ = future.flatMapError { _ in loop.makeSucceededFuture(work()) }
        case .flatMapErrorThrowing: _ = future.flatMapErrorThrowing { _ in work() }
        case .recover: _ = future.recover { _ in work() }
        case .whenFailure: future.whenFailure { _ in work() }
        }
    }
}

@Suite("An executor of swift-nio") struct ExecutorConformanceTests {
    @Test("keeps each promise with the adapter", arguments: Executor.allCases, BoundaryPromise.allCases)
    func carried(_ executor: Executor, _ promise: BoundaryPromise) async throws {
        try await promise.check(on: executor.carried)
    }

    @Test("keeps each promise for the callbacks of a future", arguments: Callback.allCases, BoundaryPromise.allCases)
    func callbacks(_ callback: Callback, _ promise: BoundaryPromise) async throws {
        try await promise.check(on: callback.carried(on: MultiThreadedEventLoopGroup.singleton.next()))
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

    @Test("keeps every task-local with the adapter, if all are carried, and none without")
    func everyTaskLocal() async {
        await #expect(processExitsWith: .success) {
            try IdentityCompanions.carryAll()
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            for callback in Callback.allCases {
                let seen = await Bound.seen { callback.register($0, on: loop)() }
                #expect(seen == 7, "\(callback)")
            }
            let scheduled = await Bound.seen { loop.propagatingIdentity.scheduleTask(in: .zero, $0) }
            let plain = await Bound.seen { loop.execute($0) }
            #expect(scheduled == 7 && plain == 0)
        }
    }

    private enum Bound {
        @TaskLocal static var number = 0

        static func seen(_ handOver: (@escaping @Sendable () -> Void) -> Void) async -> Int {
            await withCheckedContinuation { continuation in
                $number.withValue(7) { handOver { continuation.resume(returning: number) } }
            }
        }
    }
}
