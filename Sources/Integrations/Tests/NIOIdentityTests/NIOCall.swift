import Dispatch
public import NIOCore
import NIOPosix

/// A plain call of swift-nio that hands work over.
///
/// The target CarriedNIOCalls compiles the same file with the plugin CarryIdentity.
public enum NIOCall: String, CaseIterable, Sendable {
    case execute, executeOnSome, submit, submitForValue, scheduleTaskIn, scheduleTaskAt
    case flatSubmit, flatScheduleTaskIn, flatScheduleTaskAt, poolSubmit, poolRunIfActive, poolRunIfActiveAsync
    case scheduleRepeatedTask, scheduleRepeatedAsyncTask, scheduleJitteringTask, scheduleJitteringAsyncTask
    case isolatedExecute, isolatedSubmit, isolatedScheduleTaskIn, isolatedScheduleTaskAt, isolatedFlatScheduleTask
    // The callbacks of a future,
    case map, flatMap, flatMapThrowing, flatMapResult, flatMapWithEventLoop, unwrap, always, whenSuccess, whenComplete
    case flatMapBlocking, whenSuccessBlocking, whenCompleteBlocking, fold, foldWithEventLoop, reduce, reduceInto
    case isolatedMap, isolatedFlatMap, isolatedFlatMapThrowing, isolatedFlatMapResult, isolatedUnwrap, isolatedAlways
    case isolatedWhenSuccess, isolatedWhenComplete
    // and those for errors.
    case flatMapError, flatMapErrorThrowing, flatMapErrorWithEventLoop, recover, whenFailure, whenFailureBlocking
    case isolatedFlatMapError, isolatedFlatMapErrorThrowing, isolatedRecover, isolatedWhenFailure

    private static let pool = {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        return pool
    }()

    /// Hands `work` over, and returns what completes the promise if it waits for one.
    public func handOver(_ work: @escaping @Sendable () -> Void, on loop: any EventLoop) -> @Sendable () -> Void {
        let promise = loop.makePromise(of: Void.self)
        let (future, run) = (promise.futureResult, Run(work: work, loop: loop))
        if Self.allCases.drop(while: { $0 != .map }).contains(self) {
            if rawValue.hasPrefix("isolated") {
                loop.execute { register(run, with: future.assumeIsolated()) }
            } else {
                register(run, with: future)
            }
        } else if rawValue.hasPrefix("isolated") {
            loop.execute { hand(run, to: loop.assumeIsolated()) }
        } else {
            hand(run, to: loop)
        }
        let fails = Self.allCases.drop { $0 != .flatMapError }.contains(self)
        return { fails ? promise.fail(CancellationError()) : promise.succeed() }
    }

    /// The work, as what a callback returns.
    private struct Run: Sendable {
        let work: @Sendable () -> Void
        let loop: any EventLoop

        func future() -> EventLoopFuture<Void> { loop.makeSucceededFuture(work()) }

        func future(_ repeated: RepeatedTask) -> EventLoopFuture<Void> {
            repeated.cancel()
            return future()
        }
    }

    private func hand(_ run: Run, to loop: any EventLoop) {
        func execute(on loop: some EventLoop) { loop.execute(run.work) }
        let (hour, jitter) = (TimeAmount.hours(1), TimeAmount.nanoseconds(2))
        switch self {
        case .execute: loop.execute { run.work() }
        case .executeOnSome: execute(on: loop)
        case .submit: _ = loop.submit(run.work)
        case .submitForValue: _ = loop.submit { [run.work()].count }
        case .scheduleTaskIn: loop.scheduleTask(in: .zero) { run.work() }
        case .scheduleTaskAt: loop.scheduleTask(deadline: .now(), run.work)
        case .flatSubmit: _ = loop.flatSubmit(run.future)
        case .flatScheduleTaskIn: loop.flatScheduleTask(in: .zero, run.future)
        case .flatScheduleTaskAt: loop.flatScheduleTask(deadline: .now(), run.future)
        case .scheduleRepeatedTask:
            loop.scheduleRepeatedTask(initialDelay: .zero, delay: hour) { _ = run.future($0) }
        case .scheduleRepeatedAsyncTask:
            loop.scheduleRepeatedAsyncTask(initialDelay: .zero, delay: hour, run.future)
        case .scheduleJitteringTask:
            loop.scheduleRepeatedTask(initialDelay: .zero, delay: hour, maximumAllowableJitter: jitter) {
                _ = run.future($0)
            }
        case .scheduleJitteringAsyncTask:
            loop.scheduleRepeatedAsyncTask(initialDelay: .zero, delay: hour, maximumAllowableJitter: jitter, run.future)
        case .poolSubmit: Self.pool.submit { _ in run.work() }
        case .poolRunIfActive: _ = Self.pool.runIfActive(eventLoop: loop, run.work)
        default: Task { try await Self.pool.runIfActive(run.work) }
        }
    }

    private func hand(_ run: Run, to loop: NIOIsolatedEventLoop) {
        switch self {
        case .isolatedExecute: loop.execute(run.work)
        case .isolatedSubmit: _ = loop.submit(run.work)
        case .isolatedScheduleTaskIn: loop.scheduleTask(in: .zero, run.work)
        case .isolatedScheduleTaskAt: loop.scheduleTask(deadline: .now(), run.work)
        default: loop.flatScheduleTask(deadline: .now(), run.future)
        }
    }

    private func register(_ run: Run, with future: EventLoopFuture<Void>) {
        let (loop, one) = (run.loop, run.loop.makeSucceededFuture(1))
        switch self {
        case .map: _ = future.map(run.work)
        case .flatMap: _ = future.flatMap(run.future)
        case .flatMapThrowing: _ = future.flatMapThrowing(run.work)
        case .flatMapResult: _ = future.flatMapResult { Result<Void, any Error>.success(run.work()) }
        case .flatMapWithEventLoop: _ = future.flatMapWithEventLoop { _, _ in run.future() }
        case .unwrap: _ = future.map { nil as Void? }.unwrap(orElse: run.work)
        case .always: _ = future.always { _ in run.work() }
        case .whenSuccess: future.whenSuccess(run.work)
        case .whenComplete: future.whenComplete { _ in run.work() }
        case .flatMapBlocking: _ = future.flatMapBlocking(onto: .global(), run.work)
        case .whenSuccessBlocking: future.whenSuccessBlocking(onto: .global(), run.work)
        case .whenCompleteBlocking: future.whenCompleteBlocking(onto: .global()) { _ in run.work() }
        case .fold: _ = future.fold([one]) { _, _ in run.future() }
        case .foldWithEventLoop: _ = future.foldWithEventLoop([one]) { _, _, _ in run.future() }
        case .reduce: _ = EventLoopFuture.reduce((), [future], on: loop) { _, _ in run.work() }
        case .reduceInto: _ = EventLoopFuture.reduce(into: 0, [future], on: loop) { _, _ in run.work() }
        case .flatMapError: _ = future.flatMapError { _ in run.future() }
        case .flatMapErrorThrowing: _ = future.flatMapErrorThrowing { _ in run.work() }
        case .flatMapErrorWithEventLoop: _ = future.flatMapErrorWithEventLoop { _, _ in run.future() }
        case .recover: _ = future.recover { _ in run.work() }
        case .whenFailure: future.whenFailure { _ in run.work() }
        default: future.whenFailureBlocking(onto: .global()) { _ in run.work() }
        }
    }

    private func register(_ run: Run, with future: EventLoopFuture<Void>.Isolated) {
        switch self {
        case .isolatedMap: _ = future.map(run.work)
        case .isolatedFlatMap: _ = future.flatMap(run.future)
        case .isolatedFlatMapThrowing: _ = future.flatMapThrowing(run.work)
        case .isolatedFlatMapResult: _ = future.flatMapResult { Result<Void, any Error>.success(run.work()) }
        case .isolatedUnwrap: _ = future.map { nil as Void? }.unwrap(orElse: run.work)
        case .isolatedAlways: _ = future.always { _ in run.work() }
        case .isolatedWhenSuccess: future.whenSuccess(run.work)
        case .isolatedWhenComplete: future.whenComplete { _ in run.work() }
        case .isolatedFlatMapError: _ = future.flatMapError { _ in run.future() }
        case .isolatedFlatMapErrorThrowing: _ = future.flatMapErrorThrowing { _ in run.work() }
        case .isolatedRecover: _ = future.recover { _ in run.work() }
        default: future.whenFailure { _ in run.work() }
        }
    }
}
