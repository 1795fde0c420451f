// Never inlined, for the reason that `IdentitySnapshot.bind(for:)` has.

/// Runs `operation` as `identity`: the thread level is bound until `operation` ends, however it ends.
///
/// ```swift
/// try withIdentity(ada) {
///     try store.save(draft)  // Identity.current is ada, here and in whatever this hands over
/// }
/// ```
///
/// Scopes nest; the inner one wins, and when it ends the outer one is back.
///
/// - Parameters:
///   - identity: Who the work is for; ``Identity/nobody`` for nobody; `nil` unsets the thread level inside.
///   - fileID: Where the scope is opened, for explanations.
///   - line: Where the scope is opened, for explanations.
///   - operation: The work; it runs at once, on this thread.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws, with its type.
/// - Complexity: O(1), about the price of `TaskLocal.withValue`.
@inlinable @inline(never)
public func withIdentity<Value, Failure: Error>(
    _ identity: Identity?,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: () throws(Failure) -> Value
) throws(Failure) -> Value {
    let outer = openScope(of: identity, fileID, line)
    defer { closeScope(outer) }
    return try operation()
}

/// Runs asynchronous `operation` as `identity`: bound for the task, across every suspension, until `operation` ends.
///
/// It adds no suspension point and stays on the caller's actor.
///
/// - Parameters:
///   - identity: Who the work is for; ``Identity/nobody`` for nobody; `nil` unsets the thread level inside.
///   - fileID: Where the scope is opened, for explanations.
///   - line: Where the scope is opened, for explanations.
///   - operation: The work.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws, with its type.
/// - Complexity: O(1), about the price of `TaskLocal.withValue`.
@inlinable
public nonisolated(nonsending) func withIdentity<Value, Failure: Error>(
    _ identity: Identity?,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let scope = IdentitySnapshot.binding(identity, fileID, line)
    defer { scope.end() }
    return try await scope.bind(for: operation)
}
