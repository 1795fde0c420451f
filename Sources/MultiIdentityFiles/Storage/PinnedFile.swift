/// A file that was read, kept open: as long as it is, no other file gets its number.
package final class PinnedFile: Sendable {
    package let file: OpenFile
    package let status: FileStatus

    package init(_ file: consuming OpenFile, _ status: FileStatus) {
        self.file = file
        self.status = status
    }

    /// Returns whether a name still refers to this file, as far as the status shows without reading it.
    package func isSame(as other: FileStatus) -> Bool {
        other.inode == status.inode && other.device == status.device && other.size == status.size
            && other.permissions == status.permissions && other.user == status.user
            && other.linkCount == status.linkCount
    }
}
