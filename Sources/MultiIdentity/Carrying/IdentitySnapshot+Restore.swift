extension IdentitySnapshot {
    /// Runs `operation` as the captured identity, and then reinstates what was bound here before.
    ///
    /// A snapshot of unset unsets the thread level. If exactly the captured thread level is already bound, nothing is bound again.
    ///
    /// - Parameter operation: The work; it runs at once, on this thread.
    /// - Returns: The result of `operation`.
    /// - Throws: The error that `operation` throws, with its type.
    /// - Complexity: O(1), at most the cost of `TaskLocal.withValue`.
    @inlinable
    public func restore<Value, Failure: Error>(_ operation: () throws(Failure) -> Value) throws(Failure) -> Value {
        switch wayToRestore {
        case .nothingToDo: return try operation()
        case .bind: return try bind(for: operation)
        case .observed:
            var result: Result<Value, Failure>?
            restoreObserved { result = Result(catching: operation) }
            return try result.mustHaveRun().get()
        }
    }

    /// Runs asynchronous `operation` as the captured identity, across every suspension.
    ///
    /// It adds no suspension point and stays on the caller's actor.
    ///
    /// - Parameter operation: The work.
    /// - Returns: The result of `operation`.
    /// - Throws: The error that `operation` throws, with its type.
    /// - Complexity: O(1), at most the cost of `TaskLocal.withValue`.
    @inlinable
    public nonisolated(nonsending) func restore<Value, Failure: Error>(
        _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if isRestoredPlainly {
            defer { plainRestoreEnds() }
            return try await bind(for: operation)
        }
        var result: Result<Value, Failure>?
        await restoreObserved { () async -> Void in result = await Result(catching: operation) }
        return try result.mustHaveRun().get()
    }

    @usableFromInline
    enum WayToRestore: Sendable { case nothingToDo, bind, observed }

    @usableFromInline
    var wayToRestore: WayToRestore {
        if !isRestoredPlainly { return .observed }
        return ThreadMirror.shows(self) ? .nothingToDo : .bind
    }

    @usableFromInline
    var isRestoredPlainly: Bool { Route.isPlainForWork }

    /// Continues the task's run as what is bound outside, since a run that began meanwhile may tell whose it is.
    @usableFromInline
    func plainRestoreEnds() { TaskRun.scopeEnds() }

    /// Restores this around a boundary's work, on the plain route.
    @inline(__always)
    func restorePlainly(_ work: () -> Void) {
        if ThreadMirror.shows(self) { work() } else { bindForWork(work) }
    }
}

extension Optional {
    /// The result of work that the caller waited for.
    ///
    /// Dispatch runs the work of `sync` before `sync` returns.
    @usableFromInline
    consuming func mustHaveRun() -> Wrapped {
        guard let self else { preconditionFailure("The queue returned from sync without running the work.") }
        return self
    }
}
