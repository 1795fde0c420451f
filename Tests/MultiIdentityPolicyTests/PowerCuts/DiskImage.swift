import Foundation

/// The content of a disk: files and folders by inode, so that a file can have several names, or none yet.
struct DiskImage: Hashable {
    struct File: Hashable {
        var content = Data()
        /// The attribute that names its owner.
        var owner: Data?
        var permissions: UInt32
    }

    let root: UInt64
    var files: [UInt64: File] = [:]
    /// The names in each folder, with their inodes.
    var folders: [UInt64: [String: UInt64]] = [:]
    var folderPermissions: [UInt64: UInt32] = [:]

    /// The image without unnamed files: what can be found after a restart.
    var reachable: DiskImage {
        var found = DiskImage(root: root)
        func add(_ inode: UInt64) {
            guard let names = folders[inode] else { return found.files[inode] = files[inode] }
            found.folders[inode] = names
            found.folderPermissions[inode] = folderPermissions[inode]
            for inode in names.values { add(inode) }
        }
        add(root)
        return found
    }
}

/// One effect of a call on a disk: after a power cut it is there, or it is not.
enum DiskChange: Hashable {
    case write(UInt64, at: Int, Data)
    case cut(UInt64, to: Int)
    case owner(UInt64, Data?)
    case permissions(UInt64, UInt32)
    /// The new inodes of names in folders, `nil` for a removed name.
    ///
    /// The changes of one call to names are done whole or not at all, as a file system with a journal does them.
    case names([Naming])

    struct Naming: Hashable {
        let folder: UInt64
        let name: String
        let inode: UInt64?
    }

    /// The inodes that must be synchronized to make the change durable; if there are several folders, each of them.
    var inodes: Set<UInt64> {
        switch self {
        case .write(let inode, at: _, _), .cut(let inode, to: _), .owner(let inode, _), .permissions(let inode, _):
            [inode]
        case .names(let namings): Set(namings.map(\.folder))
        }
    }

    func apply(to image: inout DiskImage) {
        switch self {
        case .write(let inode, let offset, let bytes):
            // What was not written is filled with zeros.
            let size = image.files[inode]?.content.count ?? 0
            image.files[inode]?.content.append(Data(count: max(0, offset + bytes.count - size)))
            image.files[inode]?.content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        case .cut(let inode, let size):
            let count = image.files[inode]?.content.count ?? 0
            image.files[inode]?.content.removeLast(max(0, count - size))
        case .owner(let inode, let owner): image.files[inode]?.owner = owner
        case .permissions(let inode, let permissions): image.files[inode]?.permissions = permissions
        case .names(let namings):
            for naming in namings { image.folders[naming.folder]?[naming.name] = naming.inode }
        }
    }
}
