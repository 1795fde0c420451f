internal import CSystemCalls

/// Paths that do not lead out of a directory.
extension OpenFile {
    /// Opens a path below this directory.
    ///
    /// Symbolic links that stay below it are followed if the system can check that. A path may be longer than the
    /// system's limit, for example after a directory was moved below another.
    package func openBeneath(_ path: UnsafePointer<CChar>, _ access: Access) throws(SystemCallError) -> OpenFile {
        var length = strlen(path)
        if length <= Self.longestPath { return try openAtOnce(path, access) }
        var directory = try duplicate()
        var rest = path
        while length > Self.longestPath {
            let part = UnsafeBufferPointer(start: rest, count: Self.longestPath)
            guard let slash = part.lastIndex(of: CChar(bitPattern: UInt8(ascii: "/"))) else { break }
            directory = try directory.openAtOnce(Array(part[..<slash]) + [0], .directory)
            rest += slash + 1
            length -= slash + 1
        }
        return try directory.openAtOnce(rest, access)
    }

    /// The maximum length of a path in bytes, without the NUL.
    package static let longestPath = Int(PATH_MAX) - 1

    private func openAtOnce(_ path: UnsafePointer<CChar>, _ access: Access) throws(SystemCallError) -> OpenFile {
        if path.pointee == 0 { return try open(".", access) }
        let result = sys_open_beneath(descriptor, path, access.value, 0)
        // Sandboxes answer EPERM for calls that they do not know.
        if result == -ENOSYS || result == -EPERM { return try openStepwise(String(cString: path), access) }
        return OpenFile(taking: try checked(result, "openat2", whole(path)), path: whole(path))
    }

    /// Works like ``openBeneath(_:_:)`` if the system cannot check links: no symbolic link is followed.
    package func openStepwise(_ path: String, _ access: Access) throws(SystemCallError) -> OpenFile {
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard let last = parts.popLast() else { return try open(".", access) }
        var directory = try duplicate()
        for part in parts { directory = try Self.step(from: directory, part, .directory) }
        return try Self.step(from: directory, last, access)
    }

    private static func step(
        from directory: borrowing OpenFile,
        _ name: String,
        _ access: Access
    ) throws(SystemCallError) -> OpenFile {
        do {
            return try directory.open(name, access)
        } catch  where error.code == ENOTDIR {
            // The error for a symbolic link that is not followed.
            guard let status = try? directory.status(of: name), status.kind == .symbolicLink else { throw error }
            throw SystemCallError(error.call, error.path, code: ELOOP)
        }
    }
}
