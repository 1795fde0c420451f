package import MultiIdentity
package import Testing

/// Expects an error of this package with a code, and returns it for further checks.
@discardableResult
package func expect<Failure: CodedError, Value>(
    throws code: ErrorCode<Failure>,
    _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation,
    in body: () throws -> Value
) -> Failure? {
    let error = #expect(throws: Failure.self, comment, sourceLocation: location) { _ = try body() }
    if let error { #expect(error.code == code, comment, sourceLocation: location) }
    return error
}

@discardableResult
package func expect<Failure: CodedError, Value>(
    throws code: ErrorCode<Failure>,
    _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation,
    in body: () async throws -> Value
) async -> Failure? {
    let error = await #expect(throws: Failure.self, comment, sourceLocation: location) { _ = try await body() }
    if let error { #expect(error.code == code, comment, sourceLocation: location) }
    return error
}

/// Returns the code of the error of this package that a body throws, or `nil`.
package func errorCode<Failure: CodedError>(of body: () throws -> Void) -> ErrorCode<Failure>? {
    do { try body() } catch { return (error as? Failure)?.code }
    return nil
}
