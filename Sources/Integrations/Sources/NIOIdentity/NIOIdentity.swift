#if NIO
import MultiIdentity
public import NIOCore
public import NIOPosix

extension EventLoop {
    /// A view of this event loop that carries identity: each piece of work is captured when handed over.
    public var propagatingIdentity: IdentityEventLoop { IdentityEventLoop(base: self) }
}

/// A swift-nio event loop on which work runs as the captured identity.
public struct IdentityEventLoop: Sendable {
    /// The event loop itself.
    public let base: any EventLoop

    /// Captured when called: runs `task` on the loop as the identity bound at the call.
    public func execute(_ task: @escaping @Sendable () -> Void) {
        base.execute(IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when called: runs `task` on the loop as the identity bound at the call.
    public func submit<Value>(_ task: @escaping @Sendable () throws -> Value) -> EventLoopFuture<Value> {
        base.submit(IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when scheduled: runs `task` on the loop after a time, as the identity bound at the call.
    @discardableResult
    public func scheduleTask<Value>(
        in delay: TimeAmount,
        _ task: @escaping @Sendable () throws -> Value
    ) -> Scheduled<Value> {
        base.scheduleTask(in: delay, IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when scheduled: runs `task` on the loop at a time, as the identity bound at the call.
    @discardableResult
    public func scheduleTask<Value>(
        deadline: NIODeadline,
        _ task: @escaping @Sendable () throws -> Value
    ) -> Scheduled<Value> {
        base.scheduleTask(deadline: deadline, IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when called: runs `task` on the loop as the identity bound at the call, and follows its future.
    public func flatSubmit<Value: Sendable>(
        _ task: @escaping @Sendable () -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        base.flatSubmit(IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when scheduled: runs `task` on the loop after a time, as the identity bound at the call; follows its future.
    @discardableResult
    public func flatScheduleTask<Value: Sendable>(
        in delay: TimeAmount,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ task: @escaping @Sendable () throws -> EventLoopFuture<Value>
    ) -> Scheduled<Value> {
        base.flatScheduleTask(in: delay, file: file, line: line, IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when scheduled: runs `task` on the loop at a time, as the identity bound at the call; follows its future.
    @discardableResult
    public func flatScheduleTask<Value: Sendable>(
        deadline: NIODeadline,
        file: StaticString = #fileID,
        line: UInt = #line,
        _ task: @escaping @Sendable () throws -> EventLoopFuture<Value>
    ) -> Scheduled<Value> {
        base.flatScheduleTask(deadline: deadline, file: file, line: line, IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when scheduled: runs `task` on the loop again and again, as the identity bound at the call.
    @discardableResult
    public func scheduleRepeatedTask(
        initialDelay: TimeAmount,
        delay: TimeAmount,
        maximumAllowableJitter jitter: TimeAmount = .nanoseconds(1),  // none: below this one
        notifying promise: EventLoopPromise<Void>? = nil,
        _ task: @escaping @Sendable (RepeatedTask) throws -> Void
    ) -> RepeatedTask {
        base.scheduleRepeatedTask(
            initialDelay: initialDelay,
            delay: delay,
            maximumAllowableJitter: jitter,
            notifying: promise,
            IdentitySnapshot.capture().wrap(task)
        )
    }

    /// Captured when scheduled: runs `task` on the loop again after each of its futures, as the identity bound at the call.
    @discardableResult
    public func scheduleRepeatedAsyncTask(
        initialDelay: TimeAmount,
        delay: TimeAmount,
        maximumAllowableJitter jitter: TimeAmount = .nanoseconds(1),  // none: below this one
        notifying promise: EventLoopPromise<Void>? = nil,
        _ task: @escaping @Sendable (RepeatedTask) -> EventLoopFuture<Void>
    ) -> RepeatedTask {
        base.scheduleRepeatedAsyncTask(
            initialDelay: initialDelay,
            delay: delay,
            maximumAllowableJitter: jitter,
            notifying: promise,
            IdentitySnapshot.capture().wrap(task)
        )
    }
}

extension NIOThreadPool {
    /// A view of this pool that carries identity: each piece of work is captured when submitted.
    public var propagatingIdentity: IdentityThreadPool { IdentityThreadPool(base: self) }
}

/// A swift-nio thread pool on which work runs as the captured identity.
public struct IdentityThreadPool: Sendable {
    /// The pool itself.
    public let base: NIOThreadPool

    /// Captured when submitted: runs `body` on the pool as the identity bound at the call.
    ///
    /// - Parameter body: The work; its argument says whether the pool runs it or has been shut down.
    public func submit(_ body: @escaping @Sendable (NIOThreadPool.WorkItemState) -> Void) {
        base.submit(IdentitySnapshot.capture().wrap(body))
    }

    /// Captured when called: runs blocking `body` on the pool as the identity bound at the call, and completes on the loop.
    public func runIfActive<Value: Sendable>(
        eventLoop: any EventLoop,
        _ body: @escaping @Sendable () throws -> Value
    ) -> EventLoopFuture<Value> {
        base.runIfActive(eventLoop: eventLoop, IdentitySnapshot.capture().wrap(body))
    }

    /// Captured when called: runs blocking `body` on the pool as the identity bound at the call, and returns its value.
    public func runIfActive<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await base.runIfActive(IdentitySnapshot.capture().wrap(body))
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"NIO\"])")
#endif
