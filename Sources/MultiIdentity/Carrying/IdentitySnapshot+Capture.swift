extension IdentitySnapshot {
    /// Takes a snapshot of the thread level here: of the current task in asynchronous code, otherwise of the current thread.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    /// - Returns: The snapshot.
    /// - Complexity: O(1): some 30 instructions outside tasks, 60 inside.
    public static func capture(fileID: StaticString = #fileID, line: UInt = #line) -> IdentitySnapshot {
        BoundaryCapture(at: .snapshot, fileID, line).snapshot
    }

    /// Creates a snapshot of `identity`, as if it had been captured inside `withIdentity(identity)` here.
    ///
    /// - Parameters:
    ///   - identity: The identity of restored work; `nil` for a snapshot that unsets the thread level.
    ///   - fileID: The file of the call, for explanations.
    ///   - line: The line of the call, for explanations.
    public init(of identity: Identity?, fileID: StaticString = #fileID, line: UInt = #line) {
        self = .capturing(identity, fileID, line)
    }

    /// Captures everything that is bound here, for an owner that was read a moment ago: later changes do not count.
    package static func capture(for owner: WorkOwner) -> IdentitySnapshot {
        let here = BoundaryCapture(at: .snapshot)
        // A different spelling or verification does not count as the same: the owner keeps its own.
        let isAsAsked = here.snapshot.identity?.spelling === owner.identity.spelling && here.snapshot.owner == owner
        return isAsAsked ? here.snapshot : here.with(owner).snapshot
    }
}
