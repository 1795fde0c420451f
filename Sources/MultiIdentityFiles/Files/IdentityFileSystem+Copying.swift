extension IdentityFileSystem {
    /// Copies a file and its owner.
    ///
    /// The copy of a file without a record belongs to the caller. Permissions are copied, except set-user-ID and
    /// set-group-ID; times and other attributes are not.
    ///
    /// - Parameters:
    ///   - source: The file, below this root.
    ///   - target: The copy, below the target's root.
    ///   - other: The target's root; `nil` for this one. The owner is recorded there before any content is written; if
    ///     that fails, the copy is refused.
    ///   - replacing: Whether the copy atomically replaces an existing file; otherwise the copy is refused.
    /// - Throws: ``IdentityFileError``; nothing has changed.
    public func copy(
        _ source: String,
        to target: String,
        in other: IdentityFileSystem? = nil,
        replacing: Bool = false
    ) throws(IdentityFileError) {
        try copy(source, to: target, in: other ?? self, replacing: replacing, failing: { $0 }) {
            (old, new) throws(IdentityFileError) in
            try IdentityFileError.from(target) { () throws(SystemCallError) in try Self.copyBytes(of: old, to: new) }
        }
    }

    /// Copies a file like ``copy(_:to:in:replacing:)``, with other content: for encrypting and sharing files.
    ///
    /// - Parameters:
    ///   - source: The file, below this root.
    ///   - target: The copy, below the target's root.
    ///   - there: The target's root.
    ///   - replacing: Whether the copy replaces an existing file.
    ///   - failing: Converts a file error.
    ///   - owning: Gets the file and its recorded owner before anything is written, and returns the copy's owner; `nil`
    ///     for the rule of copies.
    ///   - fill: Gets the file and the copy, which gets its name when this returns.
    /// - Throws: The result of `failing`, or the error of `owning` or `fill`; nothing has changed.
    package func copy<Failure: Error>(
        _ source: String,
        to target: String,
        in there: IdentityFileSystem,
        replacing: Bool,
        failing: (IdentityFileError) -> Failure,
        owning: (_ file: borrowing OpenFile, _ known: FileOwner?) throws(Failure) -> FileOwner? = { _, _ in nil },
        _ fill: (_ old: borrowing OpenFile, _ new: borrowing OpenFile) throws(Failure) -> Void
    ) throws(Failure) {
        let file = try opened(source, failing: failing)
        let place: DirectoryEntry
        do { place = try there.place(target) } catch { throw failing(error) }
        let (path, known): (RootedPath, FileOwner?)
        let permissions: UInt32
        do throws(IdentityFileError) {
            path = try RootedPath(source)
            let status = try IdentityFileError.from(source) { () throws(SystemCallError) in try file.status() }
            guard status.isFile else { throw IdentityFileError(notAFile: source) }
            known = try store.owner(of: file, path)
            // Without the bits that would make it run as its user.
            permissions = status.permissions & 0o777
            if try !there.makesWay(place, for: status, replacing) { return }
        } catch { throw failing(error) }
        let kept = try owning(file, known) ?? known
        let owner: FileOwner
        do {
            owner = if let kept { kept } else { try there.creator(target) }
            try there.admit(owner, target)
        } catch { throw failing(error) }
        _ = try there.make(
            place,
            owner,
            permissions: permissions,
            replacing ? .replacing : .creating,
            { (new) throws(Failure) in
                try fill(file, new)
                do throws(IdentityFileError) {
                    try checkUnchanged(known, of: file, path)
                } catch { throw failing(error) }
            },
            failing: failing
        )
    }

    private func opened<Failure: Error>(
        _ source: String,
        failing: (IdentityFileError) -> Failure
    ) throws(Failure) -> OpenFile {
        do {
            let path = try RootedPath(source).text
            return try IdentityFileError.from(source) { () throws(SystemCallError) in
                try directory.openBeneath(path, .reading)
            }
        } catch { throw failing(error) }
    }

    /// Returns whether a copy may get a name; `false` if the file itself has that name.
    private func makesWay(
        _ place: borrowing DirectoryEntry,
        for source: FileStatus,
        _ replacing: Bool
    ) throws(IdentityFileError) -> Bool {
        let target = place.path.text
        guard let old = try place.status() else { return true }
        if !replacing {
            throw IdentityFileError(SystemCallError("open", target, code: SystemCallError.alreadyThere), target)
        }
        guard old.isFile else { throw IdentityFileError(notAFile: target) }
        // Otherwise the copy would replace its own source.
        return old.inode != source.inode || old.device != source.device
    }

    private static func copyBytes(
        of source: borrowing OpenFile,
        to target: borrowing OpenFile
    ) throws(SystemCallError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        while case let count = try source.read(into: buffer, at: offset), count > 0 {
            try target.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += UInt64(count)
        }
    }
}
