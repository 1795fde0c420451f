extension IdentitySnapshot {
    /// The one store of the thread level.
    ///
    /// Not public: what binds it binds the mirror as well.
    @usableFromInline
    static let bound = TaskLocal(wrappedValue: IdentitySnapshot(.nothing))

    /// Binds this snapshot for the length of `operation`; every scope and every restore comes down to this.
    @inlinable
    func bind<Value, Failure: Error>(for operation: () throws(Failure) -> Value) throws(Failure) -> Value {
        let outer = ThreadMirror.enter(self)
        defer { ThreadMirror.leave(outer) }
        return try Self.bound.withValue(self) { Result(catching: operation) }.get()
    }

    /// The same for asynchronous code, which always runs in a task and so never touches the mirror.
    @inlinable
    nonisolated(nonsending) func bind<Value, Failure: Error>(
        for operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await bind(isolation: #isolation, for: operation)
    }

    /// On the caller's actor: the closure that `withValue` takes would leave it, and hop twice, if it did not capture
    /// the isolation.
    @inlinable
    func bind<Value, Failure: Error>(
        isolation: isolated (any Actor)?,
        for operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await Self.bound.withValue(self) {
            _ = isolation
            return await Result(catching: operation)
        }.get()
    }
}

extension Result where Success: ~Copyable {
    /// The asynchronous twin of the standard library's initialiser; typed errors cross `withValue` in it.
    @inlinable
    nonisolated(nonsending) init(
        catching body: nonisolated(nonsending) () async throws(Failure) -> Success
    ) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
