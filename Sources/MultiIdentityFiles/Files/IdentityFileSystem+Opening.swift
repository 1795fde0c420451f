internal import MultiIdentity

extension IdentityFileSystem {
    /// Opens a file; creates it if it is missing and the purpose allows that.
    ///
    /// - Parameters:
    ///   - path: The path below the root.
    ///   - opening: The purpose; it also decides who owns the file.
    ///   - permissions: The permissions of a new file; the process's mask is not applied.
    /// - Returns: The open file; dropping it closes it.
    /// - Throws: ``IdentityFileError``. Nothing has changed, unless `.truncating` failed after the file was emptied.
    public func open(
        _ path: String,
        for opening: FileOpening,
        permissions: UInt32 = 0o600
    ) throws(IdentityFileError) -> IdentityFile {
        switch opening {
        case .reading: return try existing(path, .reading)
        case .writing: return try existing(path, .readingAndWriting)
        case .creating: return try created(path, try creator(path), permissions)
        case .appending:
            return try existingOrCreated(path, permissions, .appending)
        case .truncating:
            let owner = try creator(path)
            let opened = try existingOrCreated(path, permissions, .readingAndWriting)
            try empty(opened, owner)
            return opened
        }
    }

    private func existing(_ path: String, _ access: OpenFile.Access) throws(IdentityFileError) -> IdentityFile {
        let path = try RootedPath(path)
        let file = try IdentityFileError.from(path.text) { () throws(SystemCallError) in
            try directory.openBeneath(path.text, access)
        }
        let status = try IdentityFileError.from(path.text) { () throws(SystemCallError) in try file.status() }
        guard status.isFile else { throw IdentityFileError(notAFile: path.text) }
        return IdentityFile(file, path, store)
    }

    private func created(
        _ path: String,
        _ owner: FileOwner,
        _ permissions: UInt32
    ) throws(IdentityFileError) -> IdentityFile {
        let place = try place(path)
        if try place.status() != nil {
            throw IdentityFileError(SystemCallError("open", path, code: SystemCallError.alreadyThere), path)
        }
        let file = try make(
            place,
            owner,
            permissions: permissions,
            .creating,
            { (_) throws(IdentityFileError) in },
            failing: { $0 }
        )
        return IdentityFile(file, place.path, store)
    }

    private func existingOrCreated(
        _ path: String,
        _ permissions: UInt32,
        _ access: OpenFile.Access
    ) throws(IdentityFileError) -> IdentityFile {
        // Others may create and remove it meanwhile; a dangling symbolic link is both missing and present, permanently.
        for _ in 0..<16 {
            do {
                return try existing(path, access)
            } catch  where error.code == .notFound {}
            do {
                let made = try created(path, try creator(path), permissions)
                if access == .appending {
                    try IdentityFileError.from(path) { () throws(SystemCallError) in try made.file.appendOnly() }
                }
                return made
            } catch  where error.code == .alreadyExists {}
        }
        throw IdentityFileError(SystemCallError("open", path, code: SystemCallError.alreadyThere), path)
    }

    /// Empties a file and records its opener as the owner; no content is ever recorded under the wrong owner.
    private func empty(_ opened: borrowing IdentityFile, _ owner: FileOwner) throws(IdentityFileError) {
        let path = RootedPath(known: opened.path)
        do {
            let isEmpty = try opened.size() == 0
            if try opened.owner() == owner, isEmpty { return }
        } catch  where error.code == .damagedOwner || error.code == .newerOwner {
            // The damaged record is about to be overwritten.
        }
        try IdentityFileError.from(path.text) { () throws(SystemCallError) in
            try opened.file.truncate(to: 0)
            try opened.file.synchronize()
        }
        try setOwner(owner, of: opened.file, path)
    }

    /// Records an owner, as long as it is admitted, so that it survives a power cut.
    func setOwner(
        _ owner: FileOwner,
        of file: borrowing OpenFile,
        _ path: RootedPath
    ) throws(IdentityFileError) {
        try withNames(path.text) { (changes) throws(IdentityFileError) in
            try admit(owner, path.text)
            changes.noteMove(to: path)
            try store.put(owner, on: file, path)
        }
        // An index has already synchronized its record.
        guard store.keeping.hasAttributes else { return }
        try IdentityFileError.from(path.text) { () throws(SystemCallError) in try file.synchronize() }
    }
}

/// The purpose of opening a file, and its effect on the owner.
public enum FileOpening: Hashable, Sendable, CaseIterable {
    /// Reads an existing file; the owner stays.
    case reading
    /// Reads and writes an existing file; its content and its owner stay.
    case writing
    /// Reads, and writes at the end. A missing file is created; an existing one keeps its owner.
    case appending
    /// Reads and writes. A missing file is created, an existing one emptied; it belongs to the caller from then on.
    case truncating
    /// Reads and writes a new file, which belongs to the caller; the name must not exist.
    case creating
}
