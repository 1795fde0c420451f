internal import MultiIdentity

extension IdentityFileSystem {
    /// Opens a file, or makes it.
    ///
    /// - Parameters:
    ///   - path: Below the root.
    ///   - opening: What for; it says what becomes of the owner, too.
    ///   - permissions: Of a file that is made, whatever the process's mask is.
    /// - Returns: The file, closed when it is dropped.
    /// - Throws: ``IdentityFileError``; all is as before, except where a truncating one fails after the file was emptied.
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
        // Others may make and remove it meanwhile; a symbolic link to nowhere is both missing and there, for good.
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

    /// Empties a file and gives it to its opener, so that nothing new is ever in it under the old owner's name, and
    /// nothing old under the new one's.
    private func empty(_ opened: borrowing IdentityFile, _ owner: FileOwner) throws(IdentityFileError) {
        let path = RootedPath(known: opened.path)
        do {
            let isEmpty = try opened.size() == 0
            if try opened.owner() == owner, isEmpty { return }
        } catch  where error.code == .damagedOwner || error.code == .newerOwner {
            // What is about to be written over.
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
        // What the index has lasts.
        guard store.keeping.hasAttributes else { return }
        try IdentityFileError.from(path.text) { () throws(SystemCallError) in try file.synchronize() }
    }
}

/// The purpose that a file is opened for, and its effect on the owner.
public enum FileOpening: Hashable, Sendable, CaseIterable {
    /// To read; it has to exist and keeps its owner.
    case reading
    /// To read and write; it has to exist and keeps its content and its owner.
    case writing
    /// To read, and to write at its end; made where it is missing, else it keeps its owner.
    case appending
    /// To read and write; made where it is missing, else emptied. It is the opener's from then on.
    case truncating
    /// To read and write; it must not exist. It is the opener's.
    case creating
}
