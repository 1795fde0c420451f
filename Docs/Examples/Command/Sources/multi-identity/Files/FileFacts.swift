import Foundation

/// The system's facts about an open file, to see whether it changed and to make another like it.
struct FileFacts: Equatable {
    let user: UInt32
    let group: UInt32
    let permissions: UInt32
    let linkCount: UInt64
    private let device: UInt64
    private let inode: UInt64
    private let size: Int64
    private let changed: [Int]

    init(of descriptor: Int32) throws(CommandFailure) {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else {
            throw CommandFailure(.systemFailure, "systemCall", "fstat failed: \(String(cString: strerror(errno))).")
        }
        user = found.st_uid
        group = found.st_gid
        permissions = UInt32(found.st_mode) & 0o7777
        linkCount = UInt64(found.st_nlink)
        (device, inode) = (UInt64(found.st_dev), UInt64(found.st_ino))
        size = Int64(found.st_size)
        #if canImport(Darwin)
        changed = [found.st_mtimespec.tv_sec, found.st_mtimespec.tv_nsec]
        #else
        changed = [found.st_mtim.tv_sec, found.st_mtim.tv_nsec]
        #endif
    }

    /// Indicates whether a path leads to this file.
    func isSame(as path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 && UInt64(found.st_dev) == device && UInt64(found.st_ino) == inode
    }

    /// Indicates whether a regular file is at a path, which is not followed.
    static func isRegularFile(_ path: String) throws(CommandFailure) -> Bool {
        var found = stat()
        guard lstat(path, &found) == 0 else {
            let code = errno
            let isRefused = code == EACCES || code == EPERM
            throw CommandFailure(
                isRefused ? .noPermission : .noInput,
                isRefused ? "notPermitted" : "notFound",
                "It cannot be reached: \(String(cString: strerror(code))).",
                about: path
            )
        }
        return found.st_mode & S_IFMT == S_IFREG
    }

    /// Gives another file the same user, group and permissions.
    func apply(to descriptor: Int32) throws(CommandFailure) {
        let other = try FileFacts(of: descriptor)
        if other.user != user || other.group != group, fchown(descriptor, user, group) != 0 {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(
                .noPermission,
                "notPermitted",
                "The new file cannot belong to user \(user) and group \(group) as the old one does: \(reason)."
            )
        }
        if fchmod(descriptor, mode_t(permissions)) != 0 {
            throw CommandFailure(.systemFailure, "systemCall", "fchmod failed: \(String(cString: strerror(errno))).")
        }
    }
}
