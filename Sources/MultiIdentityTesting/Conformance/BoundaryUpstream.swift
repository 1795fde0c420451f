/// The sequence that consumers share in a check: each element is a piece of work, and there are as many as were asked for.
///
/// It ends when the check is over.
public struct BoundaryUpstream: AsyncSequence, Sendable {
    /// An element says nothing but that it was made.
    public typealias Element = Void
    /// It throws nothing.
    public typealias Failure = Never

    let due: AsyncStream<Void>
    let work: BoundaryConformance.AsyncWork

    /// Asks for elements.
    public func makeAsyncIterator() -> Iterator { Iterator(due: due.makeAsyncIterator(), work: work) }

    /// Does the work in each call of `next`, as the current identity.
    public struct Iterator: AsyncIteratorProtocol {
        var due: AsyncStream<Void>.Iterator
        let work: BoundaryConformance.AsyncWork

        /// Does the work once somebody has asked for an element; `nil` at the end.
        public mutating func next() async -> Void? { await next(isolation: nil) }

        /// Does the work once somebody has asked for an element; `nil` at the end.
        ///
        /// - Parameter actor: The actor of the caller.
        /// - Returns: An element.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Void? {
            guard await due.next(isolation: actor) != nil else { return nil }
            await work()
            return ()
        }
    }
}

/// It belongs to the code that iterates.
@available(*, unavailable)
extension BoundaryUpstream.Iterator: Sendable {}

extension BoundaryUpstream {
    /// The elements that were asked for; no more come when the checks have let go of this.
    final class Orders: Sendable {
        private let giver: AsyncStream<Void>.Continuation

        private init(_ giver: AsyncStream<Void>.Continuation) { self.giver = giver }

        deinit { giver.finish() }

        static func make() -> (due: AsyncStream<Void>, orders: Orders) {
            let (due, giver) = AsyncStream<Void>.makeStream()
            return (due, Orders(giver))
        }

        func add() { giver.yield() }
    }
}
