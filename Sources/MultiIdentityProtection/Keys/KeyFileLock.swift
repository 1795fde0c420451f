import CSystemCalls
import MultiIdentityFiles

/// The lock of a key file among processes: taken on a file beside it, since there may be no key file yet, and on the
/// key file itself, since anyone who may remove names in the folder may remove that other one.
struct KeyFileLock: ~Copyable {
    private let file: PinnedFile
    /// `nil` if there was none.
    private let keyFile: PinnedFile?

    /// Waits for the lock, which lasts as long as this value.
    ///
    /// - Parameters:
    ///   - name: The name of the key file.
    ///   - directory: The directory of the key file.
    ///   - limit: The maximum time to wait, in milliseconds.
    /// - Throws: ``ProtectionError`` if another process keeps the lock for longer, if the lock file cannot be created,
    ///   or if others could lock or remove it.
    init(besides name: String, in directory: borrowing OpenFile, limit: Int) throws(ProtectionError) {
        var waited = 0
        let file = try Self.lockedOrMade("\(name).lock", in: directory, limit, &waited)
        let keyFile = try Self.locked(name, in: directory, limit, &waited)
        (self.file, self.keyFile) = (file, keyFile)
    }

    /// Unlocks explicitly: a process that is just being started shares the lock until it executes its program.
    deinit {
        try? keyFile?.file.unlock()
        try? file.file.unlock()
    }

    /// Returns whether the file that was read is the locked key file, or neither exists.
    func holds(_ read: PinnedFile?) -> Bool {
        keyFile?.status.inode == read?.status.inode && keyFile?.status.device == read?.status.device
    }

    /// Waits for the lock of a private file; returns `nil` if there is no file with that name.
    private static func locked(
        _ name: String,
        in directory: borrowing OpenFile,
        _ limit: Int,
        _ waited: inout Int
    ) throws(ProtectionError) -> PinnedFile? {
        while let kept = try KeyFileAccess.open(name, in: directory, .readingAndWriting) {
            // Removed between opening and checking.
            if kept.status.linkCount == 0 { continue }
            try KeyFileAccess.check(kept.status, kept.file.path)
            if try isTaken(kept, name, directory, limit, &waited) { return kept }
        }
        return nil
    }

    /// - Returns: Whether the name still refers to the file after locking it.
    private static func isTaken(
        _ kept: PinnedFile,
        _ name: String,
        _ directory: borrowing OpenFile,
        _ limit: Int,
        _ waited: inout Int
    ) throws(ProtectionError) -> Bool {
        while true {
            let lock = try ProtectionError.from { () throws(SystemCallError) in
                try kept.file.lock(as: name, in: directory)
            }
            guard lock == .inUse else { return lock == .taken }
            guard waited < limit else {
                let path = kept.file.path
                throw ProtectionError(
                    .keyUnavailable,
                    "\(path) has been locked by another process for \(limit) ms. Check what that process does."
                )
            }
            // Another process rewrites the key file, which takes it milliseconds.
            usleep(1_000)
            waited += 1
        }
    }

    private static func lockedOrMade(
        _ name: String,
        in directory: borrowing OpenFile,
        _ limit: Int,
        _ waited: inout Int
    ) throws(ProtectionError) -> PinnedFile {
        while true {
            if let file = try locked(name, in: directory, limit, &waited) { return file }
            do { _ = try directory.open(name, .creating) } catch {
                // Another process was faster.
                if !error.isAlreadyThere { throw ProtectionError(error) }
            }
        }
    }
}
