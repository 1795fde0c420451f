extension AsyncSequence {
    /// Captured when created: returns this sequence; its elements are made as the identity bound here, not as the consumer's.
    ///
    /// A plain sequence makes its elements as its consumer: without an identity if a library iterates it in its own task, and
    /// as its first consumer if several share it.
    ///
    /// ```swift
    /// request.body = .stream(rows.propagatingIdentity, length: .unknown)  // each row is read as the identity bound here
    /// let shared = prices.propagatingIdentity.share()  // first propagatingIdentity, then share()
    /// ```
    public var propagatingIdentity: IdentityAsyncSequence<Self> {
        IdentityAsyncSequence(base: self, captured: BoundaryCapture(at: .asyncSequence))
    }
}

/// A view of an asynchronous sequence that makes its elements as the view's creator.
///
/// Each call of `next`, and of `makeAsyncIterator`, runs as the creator and then reinstates what was bound: the loop's body
/// runs as the consumer. The calls stay on the same actor and in the same task as for the plain sequence, so that cancelling
/// that task has the same effect, and throw the same errors.
public struct IdentityAsyncSequence<Base: AsyncSequence>: AsyncSequence {
    /// An element of the plain sequence.
    public typealias Element = Base.Element
    /// An error of the plain sequence.
    public typealias Failure = Base.Failure

    let base: Base
    let captured: BoundaryCapture

    /// Makes an iterator of the plain sequence, as the view's creator.
    public func makeAsyncIterator() -> Iterator {
        captured.restore { Iterator(base: base.makeAsyncIterator(), snapshot: captured.snapshot) }
    }

    /// An iterator that calls the plain sequence's iterator, as the view's creator.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let snapshot: IdentitySnapshot

        /// Returns the next element, made as the view's creator; `nil` at the end.
        public mutating func next() async throws(Base.Failure) -> Base.Element? { try await next(isolation: nil) }

        /// Returns the next element, made as the view's creator on the caller's actor; `nil` at the end.
        ///
        /// - Parameter actor: The caller's actor.
        /// - Returns: The element.
        /// - Throws: The error that the plain sequence throws.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Base.Failure) -> Base.Element? {
            try await snapshot.restore { () async throws(Base.Failure) -> Base.Element? in
                try await base.next(isolation: actor)
            }
        }
    }
}

extension IdentityAsyncSequence: Sendable where Base: Sendable {}

extension IdentityAsyncSequence.Iterator: Sendable where Base.AsyncIterator: Sendable {}
