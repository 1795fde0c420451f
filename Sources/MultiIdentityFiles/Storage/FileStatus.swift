internal import CSystemCalls

/// The status of a file, as the system gives it.
package struct FileStatus: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    package let size: UInt64
    /// The time of the file's creation, in nanoseconds since 1970; `nil` if the file system does not report it.
    package let birthTime: Int64?
    /// The time of the last change to its content, names or metadata, in nanoseconds since 1970, with the resolution of the
    /// system's clock for that: some milliseconds.
    package let changeTime: Int64
    package let linkCount: UInt64
    package let user: UInt32
    package let group: UInt32
    /// The permission bits only.
    package let permissions: UInt32
    package let kind: FileKind

    init(_ found: sys_status) {
        device = found.device
        inode = found.inode
        size = found.size
        let (seconds, overflow) = found.born_seconds.multipliedReportingOverflow(by: 1_000_000_000)
        birthTime = found.is_birth_known == 0 || overflow ? nil : seconds &+ Int64(found.born_nanoseconds)
        changeTime = found.changed_seconds &* 1_000_000_000 &+ Int64(found.changed_nanoseconds)
        linkCount = found.link_count
        user = found.user
        group = found.group
        permissions = found.mode
        kind = FileKind(found.kind)
    }

    package var isFile: Bool { kind == .file }
    package var isDirectory: Bool { kind == .directory }
}

/// The kind of thing that a name in a directory refers to.
package enum FileKind: Hashable, Sendable {
    case file, directory, symbolicLink
    /// A pipe, a socket, a device.
    case other
    /// The file system does not report the kind with the name; request the status.
    case unknown

    init(_ kind: sys_kind) {
        switch kind {
        case sys_kind_file: self = .file
        case sys_kind_folder: self = .directory
        case sys_kind_symbolic_link: self = .symbolicLink
        case sys_kind_unknown: self = .unknown
        default: self = .other
        }
    }
}
