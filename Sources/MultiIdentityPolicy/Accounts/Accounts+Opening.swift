public import MultiIdentity

extension Accounts {
    /// Opens something from a place for an identity, if the policies allow it.
    ///
    /// The operation runs under nobody, because what it opens does not belong to the identity yet, and must not be requested
    /// in its name.
    ///
    /// ```swift
    /// let page = try await accounts.opening(from: .service("web"), for: ada) { try await fetch(url) }
    /// ```
    /// - Parameters:
    ///   - place: The place, such as a service that serves a URL.
    ///   - identity: The identity that wants it; `nil` for work that has none.
    ///   - operation: Opens it; called at once, on this thread.
    /// - Returns: The result of `operation`.
    /// - Throws: ``PolicyError`` if refused, before anything is opened; or the error of `operation`.
    public func opening<Value>(
        from place: DataPlace,
        for identity: Identity?,
        _ operation: () throws -> Value
    ) throws -> Value {
        try decide(.open(from: place), for: identity).check()
        return try withIdentity(.nobody, operation)
    }

    /// Opens something from a place for an identity, if the policies allow it, by asynchronous work under nobody.
    ///
    /// Like its synchronous counterpart, it stays on the caller's actor.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - identity: The identity that wants it; `nil` for work that has none.
    ///   - operation: Opens it.
    /// - Returns: The result of `operation`.
    /// - Throws: ``PolicyError`` if refused, before anything is opened; or the error of `operation`.
    public nonisolated(nonsending) func opening<Value>(
        from place: DataPlace,
        for identity: Identity?,
        _ operation: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        try decide(.open(from: place), for: identity).check()
        return try await withIdentity(.nobody, operation)
    }
}
