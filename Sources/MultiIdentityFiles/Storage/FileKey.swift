/// A key that identifies a file, independent of its names.
struct FileKey: Hashable, Sendable {
    /// The device; 0 for the root's device, whose number can change at a restart.
    let device: UInt64
    let inode: UInt64
    /// The time of birth, which distinguishes files that reuse an inode; `nil` if the file system does not report it.
    let birthTime: Int64?

    init(_ status: FileStatus, root: UInt64, hasBirthTimes: Bool = true) {
        device = status.device == root ? 0 : status.device
        inode = status.inode
        birthTime = hasBirthTimes ? status.birthTime : nil
    }

    init(device: UInt64, inode: UInt64, birthTime: Int64?) {
        self.device = device
        self.inode = inode
        self.birthTime = birthTime
    }
}

/// In the order of devices, inodes and times of birth, by which blocks of the index are searched.
extension FileKey: Comparable {
    static func < (one: FileKey, other: FileKey) -> Bool {
        if one.device != other.device { return one.device < other.device }
        if one.inode != other.inode { return one.inode < other.inode }
        guard let birth = other.birthTime else { return false }
        return one.birthTime.map { $0 < birth } ?? true
    }
}
