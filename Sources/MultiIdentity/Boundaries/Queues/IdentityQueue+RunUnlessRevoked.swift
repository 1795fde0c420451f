import Dispatch

extension IdentityQueue {
    /// Captured when called: runs `work` on the queue as the identity bound at the call, unless that is revoked before the work
    /// begins, and waits for it without blocking.
    ///
    /// The decision is made in the work's turn. For a handler in place of the work, or for another boundary, there is
    /// ``IdentityRevocation/dropping(_:onRevocation:)``.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - fileID: The place of the call, for explanations.
    ///   - line: The place of the call, for explanations.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws, or ``IdentityError`` with the code `.revoked` where the work was dropped.
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
