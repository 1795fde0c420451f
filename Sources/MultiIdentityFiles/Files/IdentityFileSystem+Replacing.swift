extension IdentityFileSystem {
    /// Atomically replaces a file, or creates it; no reader ever sees half of it.
    ///
    /// - Parameters:
    ///   - path: The path below the root; an existing entry has to be a regular file.
    ///   - bytes: The whole content.
    ///   - keepsOwner: Whether the new file keeps the old one's owner, even if that has no record. Otherwise, or
    ///     without an old file, it belongs to the caller.
    ///   - permissions: The permissions; `nil` for those of the old file, or 0600 without one.
    /// - Throws: ``IdentityFileError``; the old file is unchanged. If only the last step fails, the new file is in
    ///   place, but a power cut may bring back the old one.
    public func replace(
        _ path: String,
        with bytes: [UInt8],
        keepsOwner: Bool = false,
        permissions: UInt32? = nil
    ) throws(IdentityFileError) {
        try replacing(path, keepsOwner, permissions, failing: { $0 }) { (file) throws(IdentityFileError) in
            try IdentityFileError.from(path) { () throws(SystemCallError) in try file.write(bytes) }
        }
    }

    /// Atomically replaces a file, or creates it, with content that is written in pieces.
    ///
    /// - Parameters:
    ///   - path: The path below the root.
    ///   - keepsOwner: Whether the new file keeps the old one's owner.
    ///   - permissions: The permissions; `nil` for those of the old file, or 0600 without one.
    ///   - write: Writes the content. Its error is rethrown, and the old file is unchanged.
    /// - Throws: ``IdentityFileError``, or the error of `write`.
    public func replace(
        _ path: String,
        keepsOwner: Bool = false,
        permissions: UInt32? = nil,
        writing write: (borrowing IdentityFile) throws -> Void
    ) throws {
        let store = store
        try replacing(path, keepsOwner, permissions, failing: { $0 as any Error }) { file throws in
            try write(IdentityFile(try file.duplicate(), try RootedPath(path), store))
        }
    }

    private func replacing<Failure: Error>(
        _ path: String,
        _ keepsOwner: Bool,
        _ permissions: UInt32?,
        failing: (IdentityFileError) -> Failure,
        _ fill: (borrowing OpenFile) throws(Failure) -> Void
    ) throws(Failure) {
        let place: DirectoryEntry
        do { place = try self.place(path) } catch { throw failing(error) }
        let (owner, oldPermissions): (FileOwner?, UInt32?)
        do {
            (owner, oldPermissions) = try self.owner(ofReplacementAt: place, keepsOwner)
        } catch { throw failing(error) }
        // The new file belongs to the process's user, so it must not inherit another user's set-user-ID bit.
        let mode = permissions ?? oldPermissions.map { $0 & 0o777 } ?? 0o600
        _ = try make(place, owner, permissions: mode, .replacing, fill, failing: failing)
    }

    private func owner(
        ofReplacementAt place: borrowing DirectoryEntry,
        _ keepsOwner: Bool
    ) throws(IdentityFileError) -> (FileOwner?, UInt32?) {
        let path = place.path
        guard let old = try place.status() else { return (try creator(path.text), nil) }
        guard old.isFile else { throw IdentityFileError(notAFile: path.text) }
        if !keepsOwner { return (try creator(path.text), old.permissions) }
        let owner = try store.owner(of: try place.openFile(.reading), path)
        try admit(owner, path.text)
        return (owner, old.permissions)
    }

    /// Rewrites a file from its content, and keeps its owner, its permissions and its user: for encrypting files.
    ///
    /// - Parameters:
    ///   - path: The path below the root.
    ///   - unseen: The new owner of a file without a record; `nil` to leave it without one.
    ///   - rewrite: Receives the old file and the new one, which replaces it when this returns; throws
    ///     ``NothingToRewrite`` to keep the old one.
    /// - Throws: ``IdentityFileError``, or another error of `rewrite`; the old file is unchanged.
    package func rewrite(
        _ path: String,
        unseen: FileOwner? = nil,
        _ rewrite: (_ old: borrowing OpenFile, _ new: borrowing OpenFile) throws -> Void
    ) throws {
        let place = try place(path)
        let old = try place.openFile(.reading)
        let status = try old.status()
        let known = try store.owner(of: old, place.path)
        let owner = known ?? unseen
        try admit(owner, path)
        let fill: (borrowing OpenFile) throws -> Void = { [self] new in
            let made = try new.status()
            if made.user != status.user || made.group != status.group {
                try new.setUser(status.user, group: status.group)
                try new.setPermissions(status.permissions)  // a change of user drops some
            }
            try rewrite(old, new)
            try checkUnchanged(known, of: old, RootedPath(path))
        }
        do {
            _ = try make(
                place,
                owner,
                permissions: status.permissions,
                .replacing,
                expecting: status,
                fill,
                failing: { $0 as any Error }
            )
        } catch is NothingToRewrite {
            if known == nil, let unseen { try setOwner(unseen, of: old, place.path) }
        }
    }

    /// The error that leaves a file as it is.
    package struct NothingToRewrite: Error { package init() {} }

    /// Throws if the owner has changed since it was read.
    func checkUnchanged(
        _ owner: FileOwner?,
        of file: borrowing OpenFile,
        _ path: RootedPath
    ) throws(IdentityFileError) {
        guard try store.owner(of: file, path) == owner else {
            throw IdentityFileError(
                .changedMeanwhile,
                path.text,
                "The owner of \(path.text) was changed while it was read. Try again."
            )
        }
    }
}
