import CSystemCalls
import MultiIdentityFiles

/// Reads files with secrets, and refuses those that others could read or write.
enum KeyFileAccess {
    /// The directory of a file, in which no other user can replace files.
    static func ownDirectory(of path: String) throws(ProtectionError) -> OpenFile {
        let directory = try ProtectionError.from { () throws(SystemCallError) in try OpenFile.folder(of: path) }
        let status = try ProtectionError.from { () throws(SystemCallError) in try directory.status() }
        guard status.user == geteuid() || status.user == 0 else {
            throw .unsafe(directory.path, "is a folder of user \(status.user), who can replace files in it")
        }
        // Group and others, unless only a file's own user may rename and remove it (the sticky bit).
        guard status.permissions & 0o022 == 0 || status.permissions & 0o1000 != 0 else {
            throw .unsafe(directory.path, "is a folder in which others can replace files: chmod go-w it")
        }
        return directory
    }

    /// Returns the file's bytes and the file; `nil` if there is no file with that name.
    static func read(
        _ name: String,
        in directory: borrowing OpenFile,
        limit: Int
    ) throws(ProtectionError) -> (bytes: SecretBytes, file: PinnedFile)? {
        // A file that is written meanwhile is whole the next time; what never has the size that it says is no file for keys.
        for _ in 0..<100 {
            guard let file = try open(name, in: directory, .reading) else { return nil }
            let status = file.status
            // Replaced between opening and checking.
            if status.linkCount == 0 { continue }
            try check(status, file.file.path)
            guard status.size <= limit else {
                throw .unsafe(file.file.path, "has \(status.size) bytes, but at most \(limit) are read")
            }
            do {
                var count = 0
                let bytes = try SecretBytes(count: Int(status.size)) { (memory) throws(SystemCallError) in
                    count = try file.file.read(into: memory, at: 0)
                }
                if count == Int(status.size) { return (bytes, file) }
            } catch { throw ProtectionError(error) }
        }
        throw .unsafe("\(directory.path)/\(name)", "differs from its stated size, or is replaced continuously")
    }

    /// Returns the file with a name; `nil` if there is none.
    static func open(
        _ name: String,
        in directory: borrowing OpenFile,
        _ access: OpenFile.Access
    ) throws(ProtectionError) -> PinnedFile? {
        do {
            let file = try directory.open(name, access)
            let status = try file.status()
            return PinnedFile(file, status)
        } catch {
            if error.code == ENOENT { return nil }
            if error.code == ELOOP { throw .unsafe(error.path, "is a symbolic link") }
            throw ProtectionError(error)
        }
    }

    /// Refuses a file that is not this user's alone.
    static func check(_ status: FileStatus, _ path: String) throws(ProtectionError) {
        guard status.isFile else { throw .unsafe(path, "is not a regular file") }
        let user = geteuid()
        guard status.user == user else {
            throw .unsafe(path, "belongs to user \(status.user), and this process runs as \(user)")
        }
        guard status.permissions & 0o077 == 0 else {
            throw .unsafe(path, "can be used by others (mode \(String(status.permissions, radix: 8))): chmod 600 it")
        }
        guard status.linkCount == 1 else {
            throw .unsafe(path, "has \(status.linkCount) names, so destroyed keys may remain under one of them")
        }
    }
}
