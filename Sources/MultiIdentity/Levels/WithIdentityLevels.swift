/// Runs `operation` under the given process and UI levels; the thread level stays unchanged.
///
/// The levels cross every boundary with the thread level, and reads see their current values. So tests that set levels can run
/// in parallel.
///
/// - Parameters:
///   - levels: The levels in force inside.
///   - operation: The work; it runs at once, on this thread.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws, with its type.
public func withIdentityLevels<Value, Failure: Error>(
    _ levels: IdentityLevels,
    _ operation: () throws(Failure) -> Value
) throws(Failure) -> Value {
    try ThreadMirror.current().under(levels).bind(for: operation)
}

/// Runs asynchronous `operation` under the given process and UI levels; the thread level stays unchanged.
///
/// - Parameters:
///   - levels: The levels in force inside.
///   - operation: The work.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws, with its type.
public nonisolated(nonsending) func withIdentityLevels<Value, Failure: Error>(
    _ levels: IdentityLevels,
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await ThreadMirror.current().under(levels).bind(for: operation)
}

/// Runs `operation` under new levels with these identities.
///
/// - Parameters:
///   - process: The initial value of the process level.
///   - ui: The initial value of the UI level.
///   - operation: The work; it runs at once, on this thread.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws, with its type.
public func withIdentityLevels<Value, Failure: Error>(
    process: Identity? = nil,
    ui: Identity? = nil,
    _ operation: () throws(Failure) -> Value
) throws(Failure) -> Value {
    try withIdentityLevels(IdentityLevels(process: process, ui: ui), operation)
}

/// Runs asynchronous `operation` under new levels with these identities.
///
/// - Parameters:
///   - process: The initial value of the process level.
///   - ui: The initial value of the UI level.
///   - operation: The work.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws, with its type.
public nonisolated(nonsending) func withIdentityLevels<Value, Failure: Error>(
    process: Identity? = nil,
    ui: Identity? = nil,
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withIdentityLevels(IdentityLevels(process: process, ui: ui), operation)
}
