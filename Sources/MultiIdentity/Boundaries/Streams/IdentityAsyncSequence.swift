extension AsyncSequence {
    /// Captured when created: this sequence, which is asked for its elements as the identity bound here, whoever iterates.
    ///
    /// A plain sequence makes its elements as whoever iterates it: as no one where a library does so in a task of its own,
    /// and as its first consumer where several share it.
    ///
    /// ```swift
    /// request.body = .stream(rows.propagatingIdentity, length: .unknown)  // each row is read as the identity bound here
    /// let shared = prices.propagatingIdentity.share()  // inside: what is asked is the sequence that is shared
    /// ```
    public var propagatingIdentity: IdentityAsyncSequence<Self> {
        IdentityAsyncSequence(base: self, captured: BoundaryCapture(at: .asyncSequence))
    }
}

/// A view of an asynchronous sequence whose elements are made as whoever created the view.
///
/// Each call of `next`, and of `makeAsyncIterator`, runs as that one and then reinstates what was bound: the loop's body
/// runs as whoever iterates. It is asked on the same actor and in the same task as the plain sequence, so that cancelling
/// that task reaches it, and throws the same errors.
public struct IdentityAsyncSequence<Base: AsyncSequence>: AsyncSequence {
    /// An element of the plain sequence.
    public typealias Element = Base.Element
    /// An error of the plain sequence.
    public typealias Failure = Base.Failure

    let base: Base
    let captured: BoundaryCapture

    /// Makes an iterator of the plain sequence, as whoever created the view.
    public func makeAsyncIterator() -> Iterator {
        captured.restore { Iterator(base: base.makeAsyncIterator(), snapshot: captured.snapshot) }
    }

    /// Asks an iterator of the plain sequence as whoever created the view.
    public struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        let snapshot: IdentitySnapshot

        /// The next element, made as whoever created the view; `nil` at the end.
        public mutating func next() async throws(Base.Failure) -> Base.Element? { try await next(isolation: nil) }

        /// The next element, made as whoever created the view on the caller's actor; `nil` at the end.
        ///
        /// - Parameter actor: Whose the caller is.
        /// - Returns: The element.
        /// - Throws: What the plain sequence throws.
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
