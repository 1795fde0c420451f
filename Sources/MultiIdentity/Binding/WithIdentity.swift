// Never inlined, for the same reason as `IdentitySnapshot.bind(for:)`.

/// Runs `operation` as `identity`: the thread level is bound until `operation` ends, however it ends.
///
/// ```swift
/// try withIdentity(ada) {
///     try store.save(draft)  // Identity.current is ada, here and in each `Task {}` that starts here
/// }
/// ```
///
/// Scopes nest: the inner one wins, and the outer one is restored when it ends.
///
/// - Parameters:
///   - identity: The identity to bind, which can be ``Identity/nobody``; `nil` unsets the thread level inside.
///   - fileID: The file where the scope is opened, for explanations.
///   - line: The line where the scope is opened, for explanations.
///   - operation: The work; it runs at once, on this thread.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws, with its type.
/// - Complexity: O(1), about the cost of `TaskLocal.withValue`.
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
///   - identity: The identity to bind, which can be ``Identity/nobody``; `nil` unsets the thread level inside.
///   - fileID: The file where the scope is opened, for explanations.
///   - line: The line where the scope is opened, for explanations.
///   - operation: The work.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws, with its type.
/// - Complexity: O(1), about the cost of `TaskLocal.withValue`.
@inlinable
public nonisolated(nonsending) func withIdentity<Value, Failure: Error>(
    _ identity: Identity?,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    let scope = IdentitySnapshot.bindingOfTask(identity, fileID, line)
    defer { scope.end() }
    return try await scope.bind(for: operation)
}
