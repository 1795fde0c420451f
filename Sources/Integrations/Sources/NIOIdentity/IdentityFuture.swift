#if NIO
public import Dispatch
import MultiIdentity
public import NIOCore

extension EventLoopFuture {
    /// A view of this future that carries identity: each callback is captured when registered.
    public var propagatingIdentity: IdentityFuture<Value> { IdentityFuture(base: self) }
}

/// A swift-nio future whose callbacks run as the captured identity, whatever completes its promise.
///
/// Each method is the future's own of the same name.
public struct IdentityFuture<Value>: Sendable {
    /// The future itself.
    public let base: EventLoopFuture<Value>

    var captured: IdentitySnapshot { .capture() }

    /// Captured when registered: runs `callback` with a success, as the identity bound at the call, and returns its value.
    public func map<New>(_ callback: @escaping @Sendable (Value) -> New) -> EventLoopFuture<New> {
        base.map(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with a success, as the identity bound at the call, and returns its value.
    public func flatMapThrowing<New>(_ callback: @escaping @Sendable (Value) throws -> New) -> EventLoopFuture<New> {
        base.flatMapThrowing(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with a success, as the identity bound at the call, and returns its result.
    public func flatMapResult<New, Failure: Error>(
        _ callback: @escaping @Sendable (Value) -> Result<New, Failure>
    ) -> EventLoopFuture<New> {
        base.flatMapResult(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with a success, as the identity bound at the call, and follows its future.
    public func flatMap<New: Sendable>(
        _ callback: @escaping @Sendable (Value) -> EventLoopFuture<New>
    ) -> EventLoopFuture<New> {
        base.flatMap(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with a success, as the identity bound at the call, and follows its future.
    public func flatMapWithEventLoop<New: Sendable>(
        _ callback: @escaping @Sendable (Value, any EventLoop) -> EventLoopFuture<New>
    ) -> EventLoopFuture<New> {
        base.flatMapWithEventLoop(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with an error, as the identity bound at the call, and returns its value.
    public func flatMapErrorThrowing(
        _ callback: @escaping @Sendable (any Error) throws -> Value
    ) -> EventLoopFuture<Value> {
        base.flatMapErrorThrowing(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with an error, as the identity bound at the call, and returns its value.
    public func recover(_ callback: @escaping @Sendable (any Error) -> Value) -> EventLoopFuture<Value> {
        base.recover(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` for a lacking value, as the identity bound at the call, and returns its value.
    public func unwrap<New>(
        orElse callback: @escaping @Sendable () -> New
    ) -> EventLoopFuture<New> where Value == New? {
        base.unwrap(orElse: captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with the result, as the identity bound at the call, and returns the result.
    public func always(_ callback: @escaping @Sendable (Result<Value, any Error>) -> Void) -> EventLoopFuture<Value> {
        base.always(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with a success, as the identity bound at the call.
    public func whenSuccess(_ callback: @escaping @Sendable (Value) -> Void) {
        base.whenSuccess(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with an error, as the identity bound at the call.
    public func whenFailure(_ callback: @escaping @Sendable (any Error) -> Void) {
        base.whenFailure(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with the result, as the identity bound at the call.
    public func whenComplete(_ callback: @escaping @Sendable (Result<Value, any Error>) -> Void) {
        base.whenComplete(captured.wrap(callback))
    }

    /// Captured when registered: runs blocking `callback` on a queue with an error, as the identity bound at the call.
    public func whenFailureBlocking(onto queue: DispatchQueue, _ callback: @escaping @Sendable (any Error) -> Void) {
        base.whenFailureBlocking(onto: queue, captured.wrap(callback))
    }
}
#endif
