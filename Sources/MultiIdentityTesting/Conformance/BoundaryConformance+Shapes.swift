import Foundation
public import MultiIdentity

extension BoundaryConformance {
    /// A framework that calls a handler and later a closure that the handler returned, such as the body of a response.
    ///
    /// The work is that closure. It must run as the handler ran, whatever is bound where the framework calls it.
    ///
    /// ```swift
    /// .afterHandler("streamed bodies") { identity, handler in
    ///     let body = await withIdentity(identity) { await handler() }  // what a middleware does
    ///     await body()  // what the server does later; it carries if the middleware wraps `body`
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: A name for reports.
    ///   - serve: Serves one request of the given identity: calls the handler once, inside its scope, and calls what it
    ///     returned after it has returned.
    /// - Returns: The boundary.
    public static func afterHandler(
        _ name: String,
        serve:
            @escaping @Sendable (
                _ identity: Identity?, _ handler: @escaping @Sendable () async -> AsyncWork
            ) async -> Void
    ) -> BoundaryConformance {
        var boundary = asynchronous(name, capturedWhen: .created) { work in
            let identity = Identity.current
            return { Task { await serve(identity) { work } } }
        }
        boundary.bindsByItself = true
        return boundary
    }

    /// An adapter that shares one sequence between consumers; the sequence's work must run as the adapter's creator.
    ///
    /// ```swift
    /// .upstream("my share") { upstream in
    ///     let next = myShare(upstream.propagatingIdentity)  // as the current identity
    ///     return { await next() }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: A name for reports.
    ///   - share: Wraps the sequence, and returns how a consumer takes one element. Several consumers do so, in turn and
    ///     at once, each with another identity. The sequence does the work in each call of `next`, has as many
    ///     elements as are requested, and ends with the check.
    /// - Returns: The boundary.
    public static func upstream(
        _ name: String,
        share: @escaping @Sendable (AsyncStream<Void>) -> AsyncWork
    ) -> BoundaryConformance {
        asynchronous(name, capturedWhen: .created) { work in
            let (due, giver) = AsyncStream<Void>.makeStream()
            let orders = Orders(giver)
            let elements = AsyncStream<Void> {
                var due = due.makeAsyncIterator()
                guard await due.next() != nil else { return nil }
                return await work()
            }
            let consume = share(elements)
            return {
                orders.add()
                Task { await consume() }
            }
        }.reusable()
    }

    /// Makes callers take turns, as a subject of a reactive library requires.
    ///
    /// A call that hands over from inside another one, on the same thread, is part of that turn.
    ///
    /// - Returns: The boundary with this declaration.
    public func takingTurns() -> BoundaryConformance {
        let turn = NSRecursiveLock()
        var copy = self
        switch carrier {
        case .synchronous(let prepare):
            copy.carrier = .synchronous { work in
                let fire = prepare(work)
                return { turn.withLock(fire) }
            }
        case .asynchronous(let prepare):
            copy.carrier = .asynchronous { work in
                let fire = prepare(work)
                return { turn.withLock(fire) }
            }
        }
        if let drop { copy.drop = { work in turn.withLock { drop(work) } } }
        if let handOverThrowing { copy.handOverThrowing = { work in turn.withLock { handOverThrowing(work) } } }
        if let handOverReturning {
            copy.handOverReturning = { work in try turn.withLock { try handOverReturning(work) } }
        }
        return copy
    }
}

/// The requested elements; no more arrive after the checks have released this.
private final class Orders: Sendable {
    private let giver: AsyncStream<Void>.Continuation

    init(_ giver: AsyncStream<Void>.Continuation) { self.giver = giver }

    deinit { giver.finish() }

    func add() { giver.yield() }
}
