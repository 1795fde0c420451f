#if NIO
public import Dispatch
import MultiIdentity
public import NIOCore

// What swift-nio requires a sendable value for, since another loop or a queue gets it.
extension IdentityFuture where Value: Sendable {
    /// Captured when registered: runs `callback` with an error, as the identity bound at the call, and follows its future.
    public func flatMapError(
        _ callback: @escaping @Sendable (any Error) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        base.flatMapError(captured.wrap(callback))
    }

    /// Captured when registered: runs `callback` with an error, as the identity bound at the call, and follows its future.
    public func flatMapErrorWithEventLoop(
        _ callback: @escaping @Sendable (any Error, any EventLoop) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        base.flatMapErrorWithEventLoop(captured.wrap(callback))
    }

    /// Captured when registered: runs `combine` for each future's value, as the identity bound at the call.
    public func fold<Other: Sendable>(
        _ futures: [EventLoopFuture<Other>],
        with combine: @escaping @Sendable (Value, Other) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        base.fold(futures, with: captured.wrap(combine))
    }

    /// Captured when registered: runs `combine` for each future's value, as the identity bound at the call.
    public func foldWithEventLoop<Other: Sendable>(
        _ futures: [EventLoopFuture<Other>],
        with combine: @escaping @Sendable (Value, Other, any EventLoop) -> EventLoopFuture<Value>
    ) -> EventLoopFuture<Value> {
        base.foldWithEventLoop(futures, with: captured.wrap(combine))
    }

    /// Captured when called: runs `next` for each future's value, as the identity bound at the call.
    public static func reduce<Input: Sendable>(
        _ initial: Value,
        _ futures: [EventLoopFuture<Input>],
        on loop: any EventLoop,
        _ next: @escaping @Sendable (Value, Input) -> Value
    ) -> EventLoopFuture<Value> {
        .reduce(initial, futures, on: loop, IdentitySnapshot.capture().wrap(next))
    }

    /// Captured when called: runs `update` for each future's value, as the identity bound at the call.
    public static func reduce<Input: Sendable>(
        into initial: Value,
        _ futures: [EventLoopFuture<Input>],
        on loop: any EventLoop,
        _ update: @escaping @Sendable (inout Value, Input) -> Void
    ) -> EventLoopFuture<Value> {
        let captured = IdentitySnapshot.capture()
        return .reduce(into: initial, futures, on: loop) { value, input in captured.restore { update(&value, input) } }
    }

    /// Captured when registered: runs blocking `callback` on a queue, as the identity bound at the call, and returns its value.
    public func flatMapBlocking<New: Sendable>(
        onto queue: DispatchQueue,
        _ callback: @escaping @Sendable (Value) throws -> New
    ) -> EventLoopFuture<New> {
        base.flatMapBlocking(onto: queue, captured.wrap(callback))
    }

    /// Captured when registered: runs blocking `callback` on a queue with a success, as the identity bound at the call.
    public func whenSuccessBlocking(onto queue: DispatchQueue, _ callback: @escaping @Sendable (Value) -> Void) {
        base.whenSuccessBlocking(onto: queue, captured.wrap(callback))
    }

    /// Captured when registered: runs blocking `callback` on a queue with the result, as the identity bound at the call.
    public func whenCompleteBlocking(
        onto queue: DispatchQueue,
        _ callback: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        base.whenCompleteBlocking(onto: queue, captured.wrap(callback))
    }
}
#endif
