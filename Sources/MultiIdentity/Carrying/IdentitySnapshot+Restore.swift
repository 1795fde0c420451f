extension IdentitySnapshot {
    /// Runs `operation` as whoever was captured, and then reinstates what was bound here before.
    ///
    /// A snapshot of nothing unsets. Where exactly the captured thread level is bound already, nothing is bound anew.
    ///
    /// - Parameter operation: The work; it runs at once, on this thread.
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws, with its type.
    /// - Complexity: O(1), at most the price of `TaskLocal.withValue`.
    @inlinable
    public func restore<Value, Failure: Error>(_ operation: () throws(Failure) -> Value) throws(Failure) -> Value {
        if isBoundHere { return try operation() }
        return try bind(for: operation)
    }

    /// Runs asynchronous `operation` as whoever was captured, across every suspension.
    ///
    /// It adds no suspension point and stays on the caller's actor.
    ///
    /// - Parameter operation: The work.
    /// - Returns: What `operation` returns.
    /// - Throws: What `operation` throws, with its type.
    /// - Complexity: O(1), at most the price of `TaskLocal.withValue`.
    @inlinable
    public nonisolated(nonsending) func restore<Value, Failure: Error>(
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await bind(for: operation)
    }

    @usableFromInline
    var isBoundHere: Bool { ThreadMirror.shows(self) }
}
