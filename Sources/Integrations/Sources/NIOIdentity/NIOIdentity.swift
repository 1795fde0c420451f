#if NIO
import MultiIdentity
public import NIOCore
public import NIOPosix

extension EventLoop {
    /// A view of this event loop that carries identity: each piece of work is captured when handed over.
    public var propagatingIdentity: IdentityEventLoop { IdentityEventLoop(base: self) }
}

/// An event loop of swift-nio on which work runs as the captured identity.
public struct IdentityEventLoop: Sendable {
    /// The event loop itself.
    public let base: any EventLoop

    /// Captured when called: runs `task` on the loop as the identity bound at the call.
    ///
    /// - Parameter task: The work.
    public func execute(_ task: @escaping @Sendable () -> Void) {
        base.execute(IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when called: runs `task` on the loop as the identity bound at the call.
    ///
    /// - Parameter task: The work.
    /// - Returns: What `task` returns or throws.
    public func submit<Value: Sendable>(_ task: @escaping @Sendable () throws -> Value) -> EventLoopFuture<Value> {
        base.submit(IdentitySnapshot.capture().wrap(task))
    }

    /// Captured when scheduled: runs `task` on the loop after a time, as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - delay: How long from now.
    ///   - task: The work.
    /// - Returns: The scheduled task, which can be cancelled.
    @discardableResult
    public func scheduleTask<Value: Sendable>(
        in delay: TimeAmount,
        _ task: @escaping @Sendable () throws -> Value
    ) -> Scheduled<Value> {
        base.scheduleTask(in: delay, IdentitySnapshot.capture().wrap(task))
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Captured when registered: runs `callback` as the identity bound at the call, once there is a result.
    ///
    /// - Parameter callback: What to do with the result.
    public func whenCompletePropagatingIdentity(
        _ callback: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        whenComplete(IdentitySnapshot.capture().wrap(callback))
    }
}

extension NIOThreadPool {
    /// A view of this pool that carries identity: each piece of work is captured when submitted.
    public var propagatingIdentity: IdentityThreadPool { IdentityThreadPool(base: self) }
}

/// A thread pool of swift-nio on which work runs as the captured identity.
public struct IdentityThreadPool: Sendable {
    /// The pool itself.
    public let base: NIOThreadPool

    /// Captured when submitted: runs `body` on the pool as the identity bound at the call.
    ///
    /// - Parameter body: The work; it is passed whether the pool runs it or has been shut down.
    public func submit(_ body: @escaping @Sendable (NIOThreadPool.WorkItemState) -> Void) {
        base.submit(IdentitySnapshot.capture().wrap(body))
    }

    /// Captured when called: runs blocking `body` on the pool as the identity bound at the call.
    ///
    /// - Parameters:
    ///   - eventLoop: Where the result is delivered.
    ///   - body: The work.
    /// - Returns: What `body` returns or throws.
    public func runIfActive<Value: Sendable>(
        eventLoop: any EventLoop,
        _ body: @escaping @Sendable () throws -> Value
    ) -> EventLoopFuture<Value> {
        base.runIfActive(eventLoop: eventLoop, IdentitySnapshot.capture().wrap(body))
    }
}
#else
#error("This product needs its trait: .package(path: …, traits: [\"NIO\"])")
#endif
