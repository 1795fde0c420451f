import CSystemCalls
import MultiIdentityFiles

/// A file that is to be written anew in another form, in its own place or in another.
struct FileOnDisk: ~Copyable {
    let file: OpenFile
    let status: FileStatus
    private let directory: OpenFile
    private let name: String
    private let path: String

    /// Opens a file, which has to be a regular one.
    static func open(_ path: String) throws(DataProtectionError) -> FileOnDisk {
        let name = AtomicReplacement.split(path).name
        let found: FileOnDisk
        do {
            let directory = try OpenFile.folder(of: path)
            let file = try directory.open(name, .reading)
            let status = try file.status()
            found = FileOnDisk(file: file, status: status, directory: directory, name: name, path: path)
        } catch {
            if error.code == ELOOP { throw .unsuitable(path, "is a symbolic link; give the path of the file itself") }
            throw DataProtectionError(error)
        }
        guard found.status.isFile else { throw .unsuitable(path, "is no regular file") }
        return found
    }

    private init(
        file: consuming OpenFile,
        status: FileStatus,
        directory: consuming OpenFile,
        name: String,
        path: String
    ) {
        self.file = file
        self.status = status
        self.directory = directory
        self.name = name
        self.path = path
    }

    /// Begins the file that takes this one's place, or the name of another.
    ///
    /// It has this one's permissions, user, group and recorded owner before it holds a byte, or it is not begun. `unseen`: The
    /// owner where none is recorded, and the file system keeps owners.
    func replacement(at target: String?, unseen: FileOwner?) throws(DataProtectionError) -> AtomicReplacement {
        if target == nil { try checkIsAlone() }
        do {
            let made: AtomicReplacement
            if let target {
                made = try AtomicReplacement.begin(
                    AtomicReplacement.split(target).name,
                    in: try OpenFile.folder(of: target),
                    permissions: status.permissions
                )
            } else {
                made = try AtomicReplacement.begin(name, in: directory, permissions: status.permissions)
            }
            let found = try made.file.status()
            if found.user != status.user || found.group != status.group {
                try made.file.setUser(status.user, group: status.group)
                // A change of the user drops some.
                try made.file.setPermissions(status.permissions)
            }
            if let owner = try recordedOwner() {
                try made.file.setAttribute(FileOwner.attribute, to: owner)
            } else if let unseen {
                try Self.record(unseen, on: made.file)
            }
            return made
        } catch { throw DataProtectionError(error) }
    }

    /// Gives the new file its name, if this one is what it was when it was opened.
    func commit(_ replacement: consuming AtomicReplacement, at target: String?) throws(DataProtectionError) {
        var replacement = replacement
        let isSame: Bool
        do {
            // First, as it can take long, and a newer file can come meanwhile.
            try replacement.synchronize()
            let now = try file.status()
            let named = target == nil ? try directory.status(of: name) : now
            isSame = now == status && named == status
            if isSame {
                try replacement.rename(target == nil ? .replacing : .creating)
                try replacement.synchronizeName()
            }
        } catch { throw DataProtectionError(error) }
        if !isSame { throw .changed(path) }
    }

    /// A second name would go on standing for the old content; and nobody else may be at it.
    private func checkIsAlone() throws(DataProtectionError) {
        guard status.linkCount == 1 else { throw .severalNames(path, status.linkCount) }
        let isFree: Bool
        do { isFree = try file.lock() } catch { throw DataProtectionError(error) }
        if !isFree { throw .unsuitable(path, "is locked by another process or thread") }
    }

    /// Records an owner where none is recorded.
    func own(_ unseen: FileOwner) throws(DataProtectionError) {
        do {
            if try recordedOwner() != nil { return }
            try Self.record(unseen, on: file)
            try file.synchronize()
        } catch { throw DataProtectionError(error) }
    }

    private static func record(_ owner: FileOwner, on file: borrowing OpenFile) throws(SystemCallError) {
        do { try file.setAttribute(FileOwner.attribute, to: owner.bytes) } catch {
            if !error.isNoAttributes { throw error }
        }
    }

    private func recordedOwner() throws(SystemCallError) -> [UInt8]? {
        do { return try file.attribute(FileOwner.attribute, limit: 2_048) } catch {
            if error.isNoAttributes { return nil }
            throw error
        }
    }
}
