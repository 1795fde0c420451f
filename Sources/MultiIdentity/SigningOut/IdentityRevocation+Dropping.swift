extension IdentityRevocation {
    /// A closure for any boundary that runs `work`, or `handler` in its place where the work's identity was revoked before it
    /// began.
    ///
    /// ```swift
    /// operations.addOperation(
    ///     IdentityRevocation.dropping {
    ///         send(draft)
    ///     } onRevocation: { owner in
    ///         log("\(owner): not sent")
    ///     }
    /// )
    /// ```
    ///
    /// It is decided where the work would have begun, in its turn: groups, dependencies and waiting code get on either
    /// way. Work that its caller waits for, as in `sync`, belongs to the caller's and is not dropped.
    ///
    /// - Parameters:
    ///   - work: The work.
    ///   - handler: What is called in its place, under nobody.
    /// - Returns: A closure of the same shape.
    /// - Complexity: O(1); one allocation.
    public static func dropping(
        _ work: @escaping @Sendable () -> Void,
        onRevocation handler: @escaping @Sendable (RevokedOwner) -> Void
    ) -> @Sendable () -> Void {
        { if let owner = revokedOwner { handler(owner) } else { work() } }
    }
}
