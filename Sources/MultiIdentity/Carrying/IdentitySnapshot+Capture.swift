extension IdentitySnapshot {
    /// Takes a snapshot of the thread level here: of the current task in asynchronous code, else of the current thread.
    ///
    /// - Parameters:
    ///   - fileID: Where the call stands, for explanations.
    ///   - line: Where the call stands, for explanations.
    /// - Returns: The snapshot.
    /// - Complexity: O(1): some 30 instructions outside tasks, 60 inside.
    public static func capture(fileID: StaticString = #fileID, line: UInt = #line) -> IdentitySnapshot {
        BoundaryCapture(at: .snapshot, fileID, line).snapshot
    }

    /// A snapshot that holds `identity`, as if it had been captured inside `withIdentity(identity)` here.
    ///
    /// - Parameters:
    ///   - identity: Who restored work is for; `nil` for a snapshot that unsets.
    ///   - fileID: Where the snapshot is made, for explanations.
    ///   - line: Where the snapshot is made, for explanations.
    public init(of identity: Identity?, fileID: StaticString = #fileID, line: UInt = #line) {
        self = .capturing(identity, fileID, line)
    }

    /// A snapshot of all that is bound here, for an owner who was asked for a moment ago: what changed since does not count.
    package static func capture(for owner: WorkOwner) -> IdentitySnapshot {
        let here = BoundaryCapture(at: .snapshot)
        // Not in another spelling, or as verified otherwise: the owner is shown as it asked.
        let isAsAsked = here.snapshot.identity?.spelling === owner.identity.spelling && here.snapshot.owner == owner
        return isAsAsked ? here.snapshot : here.with(owner).snapshot
    }
}
