internal import CMultiIdentityFiles

/// The kind of thing that a name in a directory stands for.
package enum FileKind: Hashable, Sendable {
    case file, directory, symbolicLink
    /// A pipe, a socket, a device.
    case other
    /// The file system does not tell with the name: ask for the status.
    case unknown

    init(_ kind: mif_kind) {
        switch kind {
        case MIF_FILE: self = .file
        case MIF_FOLDER: self = .directory
        case MIF_SYMBOLIC_LINK: self = .symbolicLink
        case MIF_UNKNOWN: self = .unknown
        default: self = .other
        }
    }
}
