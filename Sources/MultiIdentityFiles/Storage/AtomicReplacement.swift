internal import CSystemCalls

/// A new file that gets its name once it is complete, so that no reader ever sees half of it.
///
/// ```swift
/// var replacement = try AtomicReplacement.begin(path: "/srv/keys.bin", permissions: 0o600)
/// try replacement.file.write(bytes)
/// try replacement.file.setAttribute("user.owner", to: bytes)  // whatever the file needs to have before it has its name
/// try replacement.commit(.replacing)
/// ```
///
/// The file has no name at first if the system supports that (`O_TMPFILE`), otherwise one that ``isTemporary(_:)``
/// recognizes. It is locked while it is written, so that a sweep can distinguish it from what a crash left. If it is
/// dropped without ``commit(_:)``, or if that throws, it is removed, and an existing file keeps the name.
package struct AtomicReplacement: ~Copyable, Sendable {
    package enum Commit: Sendable {
        /// Takes the place of what has the name.
        case replacing
        /// Fails with `EEXIST` where something has the name.
        case creating
    }

    /// The new file, empty at first: to write to.
    package let file: OpenFile
    private let directory: OpenFile
    private let name: String
    private var temporaryName: String?

    /// Begins a file for a name in a directory.
    ///
    /// - Parameters:
    ///   - name: One component.
    ///   - directory: An open directory, which need not stay open.
    ///   - permissions: Exactly these: the process's mask does not count.
    /// - Returns: The file, to be written and committed.
    /// - Throws: ``SystemCallError``; nothing is left behind then.
    package static func begin(
        _ name: String,
        in directory: borrowing OpenFile,
        permissions: UInt32
    ) throws(SystemCallError) -> AtomicReplacement {
        let path = "\(directory.path)/\(name)"
        let ownDirectory = try directory.duplicate()
        try StorageFaults.willCall("open", path)
        let made: AtomicReplacement
        let unnamed =
            canNameUnnamed && !StorageFaults.hasOnlyNamedFiles ? sys_open_unnamed(directory.descriptor, 0o600) : -1
        if unnamed >= 0 {
            let file = OpenFile(taking: unnamed, path: path)
            made = AtomicReplacement(file: file, directory: ownDirectory, name: name, temporaryName: nil)
        } else {
            let temporary = temporaryName()
            let descriptor = sys_open(directory.descriptor, temporary, sys_access_create, 0o600)
            let file = OpenFile(taking: try checked(descriptor, "open", "\(directory.path)/\(temporary)"), path: path)
            made = AtomicReplacement(file: file, directory: ownDirectory, name: name, temporaryName: temporary)
        }
        _ = try made.file.lock()
        try made.file.setPermissions(permissions)
        return made
    }

    /// Begins a file for a path of the process.
    package static func begin(path: String, permissions: UInt32) throws(SystemCallError) -> AtomicReplacement {
        let (folder, name) = split(path)
        return try begin(name, in: try OpenFile.open(folder, .directory), permissions: permissions)
    }

    private init(file: consuming OpenFile, directory: consuming OpenFile, name: String, temporaryName: String?) {
        self.file = file
        self.directory = directory
        self.name = name
        self.temporaryName = temporaryName
    }

    deinit {
        // Best effort: a leftover is recognized by its name, and a repair or a wipe removes it.
        if let temporaryName { try? directory.unlink(temporaryName) }
    }

    /// Discards the file and any name of it.
    package mutating func discard() throws(SystemCallError) {
        if let temporaryName { try directory.unlink(temporaryName) }
        temporaryName = nil
    }

    /// Gives the file its name, so that file and name survive a power cut.
    ///
    /// - Parameter commit: What happens to an existing file with the name.
    /// - Returns: The file, at the place where the last write ended.
    /// - Throws: ``SystemCallError``. An existing file keeps the name, unless only the last call fails, the `fsync` of the
    ///   directory: then the new file has the name, and a power cut may bring back the old one.
    package consuming func commit(_ commit: Commit) throws(SystemCallError) -> OpenFile {
        try file.synchronize()
        // Before the name is given: from then on only the last call can fail.
        let result = try file.duplicate()
        try rename(commit)
        try directory.synchronize()
        try result.unlock()
        return result
    }

    /// Does the same in steps, for a caller that has to keep a lock while the name is given: the file's bytes first.
    package func synchronize() throws(SystemCallError) { try file.synchronize() }

    /// Gives the name; ``synchronizeName()`` makes it lasting.
    package mutating func rename(_ commit: Commit) throws(SystemCallError) {
        switch (commit, temporaryName) {
        case (.creating, nil):
            try StorageFaults.willCall("link", file.path, file.descriptor)
            try checked(sys_name_unnamed(file.descriptor, directory.descriptor, name), "link", file.path)
        case (.creating, .some(let temporary)):
            try directory.renameNew(temporary, to: name, in: directory)
            temporaryName = nil
        case (.replacing, _):
            if temporaryName == nil { try giveTemporaryName() }
            guard let temporaryName else { return }
            try directory.rename(temporaryName, to: name, in: directory)
            self.temporaryName = nil
        }
    }

    /// Makes the name survive a power cut.
    package func synchronizeName() throws(SystemCallError) { try directory.synchronize() }

    private mutating func giveTemporaryName() throws(SystemCallError) {
        let temporary = Self.temporaryName()
        try StorageFaults.willCall("link", "\(directory.path)/\(temporary)", file.descriptor)
        let result = sys_name_unnamed(file.descriptor, directory.descriptor, temporary)
        try checked(result, "link", "\(directory.path)/\(temporary)")
        temporaryName = temporary
    }
}
