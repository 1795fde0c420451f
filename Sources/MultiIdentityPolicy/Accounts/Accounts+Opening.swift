public import MultiIdentity

extension Accounts {
    /// Opens something from a place for an identity, if the policies allow that: under nobody, as what comes from there is
    /// not the identity's, nor is it to be asked for in its name.
    ///
    /// ```swift
    /// let page = try await accounts.opening(from: .service("web"), for: ada) { try await fetch(url) }
    /// ```
    ///
    /// - Parameters:
    ///   - place: The place, as a service that serves a URL.
    ///   - identity: The identity that wants it; `nil` for work that has none.
    ///   - operation: Opens it, at once, on this thread.
    /// - Returns: What `operation` returns.
    /// - Throws: ``PolicyError``, and nothing was opened; or what `operation` throws.
    public func opening<Value>(
        from place: DataPlace,
        for identity: Identity?,
        _ operation: () throws -> Value
    ) throws -> Value {
        try decide(.open(from: place), for: identity).check()
        return try withIdentity(.nobody, operation)
    }

    /// Opens something from a place for an identity, if the policies allow that, by asynchronous work under nobody.
    ///
    /// As its synchronous twin; it stays on the caller's actor.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - identity: The identity that wants it; `nil` for work that has none.
    ///   - operation: Opens it.
    /// - Returns: What `operation` returns.
    /// - Throws: ``PolicyError``, and nothing was opened; or what `operation` throws.
    public nonisolated(nonsending) func opening<Value>(
        from place: DataPlace,
        for identity: Identity?,
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        try decide(.open(from: place), for: identity).check()
        return try await withIdentity(.nobody, operation)
    }
}
