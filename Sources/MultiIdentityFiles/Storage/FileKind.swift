internal import CSystemCalls

/// The kind of thing that a name in a directory stands for.
package enum FileKind: Hashable, Sendable {
    case file, directory, symbolicLink
    /// A pipe, a socket, a device.
    case other
    /// The file system does not tell with the name: ask for the status.
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
