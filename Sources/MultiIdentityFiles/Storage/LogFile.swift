internal import CSystemCalls

/// The file of a log, as a reference, so that another file can replace it under the log's lock.
final class LogFile: Sendable {
    let file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }

    /// Unlocks explicitly: a process that is just being started shares the lock until it executes its program.
    deinit { try? file.unlock() }

    /// Opens an existing log.
    /// - Returns: `nil` if there is none.
    static func existing(_ path: String) throws(RecordLogError) -> LogFile? {
        do { return LogFile(try OpenFile.open(path, .readingAndWriting)) } catch {
            if error.code == ENOENT { return nil }
            throw RecordLogError(error)
        }
    }

    /// Checks who owns the file, and locks it, at once.
    func lockIfFree() throws(RecordLogError) -> NamedLock {
        let path = file.path
        let status = try RecordLogError.from { () throws(SystemCallError) in try file.status() }
        guard status.isFile else {
            throw RecordLogError(.notAFile, "\(path) is not a regular file. Name another path.")
        }
        guard status.user == geteuid() else {
            throw RecordLogError(
                .wrongOwner,
                "\(path) belongs to user \(status.user), and this process runs as \(geteuid()). Change its owner."
            )
        }
        guard status.permissions & 0o077 == 0 else {
            let mode = String(status.permissions, radix: 8)
            throw RecordLogError(
                .wrongPermissions,
                "\(path) has mode \(mode), so others can use it. Change its mode to 600."
            )
        }
        return try RecordLogError.from { () throws(SystemCallError) in
            let (folder, name) = AtomicReplacement.split(path)
            return try file.lock(as: name, in: OpenFile.open(folder, .directory))
        }
    }

    /// Checks who owns the file, and locks it for as long as this lives.
    /// - Returns: Whether the path still refers to this file.
    func lock() throws(RecordLogError) -> Bool {
        let lock = try lockIfFree()
        guard lock != .inUse else {
            let message = "\(file.path) is in use, in this process or another. Open it once at a time."
            throw RecordLogError(.inUse, message)
        }
        return lock == .taken
    }

    /// Checks that the log's path still refers to this file.
    func checkName() throws(RecordLogError) {
        do {
            let (folder, name) = AtomicReplacement.split(file.path)
            if try file.isNamed(name, in: OpenFile.open(folder, .directory)) { return }
        } catch {
            if error.code != ENOENT { throw RecordLogError(error) }
        }
        throw RecordLogError(removed: file.path)
    }

    func header() throws(SystemCallError) -> [UInt8] {
        try [UInt8](capacity: RecordLogFormat.headerSize) { (buffer) throws(SystemCallError) in
            try file.read(into: buffer, at: 0)
        }
    }
}
