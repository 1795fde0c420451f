import MultiIdentity
public import MultiIdentityPolicy

extension IdentitySwitcher {
    /// Switches the UI level to the owner of a file, so that what is in it may be read and shown.
    ///
    /// What is nobody's, belongs to none or was never seen is shown under nobody: with the level unset it would be
    /// shown under the process's identity. Otherwise as `switchUI(to:)`.
    ///
    /// ```swift
    /// let file = try files.open("may.txt", for: .reading)
    /// guard try await switcher.switchUI(toOwnerOf: file) == .success else { return }
    /// show(try file.readToEnd())  // only now
    /// ```
    ///
    /// - Parameter file: The file, open; its owner is asked of it and not of its name, behind which another can come.
    /// - Returns: The outcome of the switch: success where the level holds the file's owner by then.
    /// - Throws: ``IdentityFileError`` where the owner cannot be read: before a switch, or after one, which then stays.
    public nonisolated(nonsending) func switchUI(
        toOwnerOf file: borrowing IdentityFile
    ) async throws(IdentityFileError) -> SwitchResult {
        var owner = try file.owner()
        while true {
            let result = await switchUI(to: owner?.identity ?? .nobody)
            guard result == .success else { return result }
            // It may have been given to somebody else while launch checks ran.
            let now = try file.owner()
            if now == owner { return result }
            owner = now
        }
    }
}
