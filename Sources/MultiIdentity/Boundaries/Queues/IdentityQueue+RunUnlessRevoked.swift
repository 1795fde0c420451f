import Dispatch

extension IdentityQueue {
    /// Captured when called: runs `work` on the queue as the identity bound at the call, and waits without blocking; throws if
    /// the identity is revoked before the work begins.
    ///
    /// The check happens when the queue reaches the work. To run a handler instead of the work, or to use another boundary, see
    /// ``IdentityRevocation/dropping(_:onRevocation:)``.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The result of `work`.
    /// - Throws: What `work` throws, or ``IdentityError`` with the code `.revoked` if the work was dropped.
    public func runUnlessRevoked<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let work = IdentityRevocation.dropping {
                continuation.resume(with: Result { try work() })
            } onRevocation: { owner in
                continuation.resume(throwing: IdentityError(owner))
            }
            async(execute: work, fileID: fileID, line: line)
        }
    }
}
