/// Runs `operation` under process and UI levels of its own; the thread level stays as it is.
///
/// The levels travel with the thread level across every boundary, and their values are read live. So tests that set
/// levels run in parallel.
///
/// - Parameters:
///   - levels: The levels that count inside.
///   - operation: The work; it runs at once, on this thread.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws, with its type.
public func withIdentityLevels<Value, Failure: Error>(
    _ levels: IdentityLevels,
    _ operation: () throws(Failure) -> Value
) throws(Failure) -> Value {
    try ThreadMirror.current().under(levels).bind(for: operation)
}

/// Runs asynchronous `operation` under process and UI levels of its own; the thread level stays as it is.
///
/// - Parameters:
///   - levels: The levels that count inside.
///   - operation: The work.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws, with its type.
public nonisolated(nonsending) func withIdentityLevels<Value, Failure: Error>(
    _ levels: IdentityLevels,
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await ThreadMirror.current().under(levels).bind(for: operation)
}

/// Runs `operation` under new levels that hold these identities.
///
/// - Parameters:
///   - process: What the process level holds at first.
///   - ui: What the UI level holds at first.
///   - operation: The work; it runs at once, on this thread.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws, with its type.
public func withIdentityLevels<Value, Failure: Error>(
    process: Identity? = nil,
    ui: Identity? = nil,
    _ operation: () throws(Failure) -> Value
) throws(Failure) -> Value {
    try withIdentityLevels(IdentityLevels(process: process, ui: ui), operation)
}

/// Runs asynchronous `operation` under new levels that hold these identities.
///
/// - Parameters:
///   - process: What the process level holds at first.
///   - ui: What the UI level holds at first.
///   - operation: The work.
/// - Returns: What `operation` returns.
/// - Throws: What `operation` throws, with its type.
public nonisolated(nonsending) func withIdentityLevels<Value, Failure: Error>(
    process: Identity? = nil,
    ui: Identity? = nil,
    _ operation: nonisolated(nonsending) () async throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withIdentityLevels(IdentityLevels(process: process, ui: ui), operation)
}
