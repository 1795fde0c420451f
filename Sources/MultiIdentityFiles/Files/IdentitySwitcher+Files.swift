import MultiIdentity
public import MultiIdentityPolicy

extension IdentitySwitcher {
    /// Switches the UI level to the owner of a file, so that its content may be read and shown.
    ///
    /// A file that belongs to no identity, or has no record, is shown under nobody, not under the process's identity.
    /// Otherwise this works like `switchUI(to:)`.
    ///
    /// ```swift
    /// let file = try files.open("may.txt", for: .reading)
    /// guard try await switcher.switchUI(toOwnerOf: file) == .success else { return }
    /// show(try file.readToEnd())  // only now
    /// ```
    ///
    /// - Parameter file: The open file. Its owner is read through the descriptor, because another file can take its name.
    /// - Returns: The outcome of the switch; on success, the UI level is the file's owner.
    /// - Throws: ``IdentityFileError`` if the owner cannot be read, before the switch or after it; a switch that was
    ///   made stays.
    public nonisolated(nonsending) func switchUI(
        toOwnerOf file: borrowing IdentityFile
    ) async throws(IdentityFileError) -> SwitchResult {
        var owner = try file.owner()
        while true {
            let result = await switchUI(to: owner?.identity ?? .nobody)
            guard result == .success else { return result }
            // The file may have been given to another owner while the launch checks ran.
            let now = try file.owner()
            if now == owner { return result }
            owner = now
        }
    }
}
