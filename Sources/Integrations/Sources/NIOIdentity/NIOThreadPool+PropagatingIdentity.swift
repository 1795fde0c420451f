#if NIO
import MultiIdentity
public import NIOCore
public import NIOPosix

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
#endif
