import MultiIdentity

/// Has the program act on changes: in their order, one at a time, and again where it failed or the process ended.
actor OwedChanges {
    private let directory: UserDirectory
    private let act: @Sendable (DirectoryChange) async throws -> Void
    private var last: Task<Set<Identity>, any Error>?

    init(_ directory: UserDirectory, _ act: @escaping @Sendable (DirectoryChange) async throws -> Void) {
        self.directory = directory
        self.act = act
    }

    /// Has all of them acted on that are owed now.
    ///
    /// It goes on where the request that asks for it ends, and runs with nothing bound.
    ///
    /// - Returns: The identities of those that failed, and are tried again with the next change.
    /// - Throws: What the database throws.
    func deliver() async throws -> Set<Identity> {
        let before = last
        // Not of the request that asks first, which may end, and in nobody's name.
        let task = Task.detached {
            _ = await before?.result
            return try await self.all()
        }
        last = task
        return try await task.value
    }

    private func all() async throws -> Set<Identity> {
        var failed: Set<Identity> = []
        for (number, change) in try await directory.owed() {
            // What comes after it waits for it: who left and came back has not left.
            if failed.contains(change.identity) { continue }
            do {
                try await act(change)
            } catch {
                failed.insert(change.identity)
                continue
            }
            try await directory.settle(number)
        }
        return failed
    }
}
