import CSystemCalls

/// A fingerprint that distinguishes states of a file without reading it.
package struct FileFingerprint: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let size: UInt64
    private let written: [Int64]
    private let changed: [Int64]

    init(_ status: sys_status) {
        device = status.device
        inode = status.inode
        size = status.size
        written = [status.written_seconds, Int64(status.written_nanoseconds)]
        changed = [status.changed_seconds, Int64(status.changed_nanoseconds)]
    }

    /// The state of the file at a path, links followed; `nil` if it cannot be reached.
    package init?(path: String) {
        var status = sys_status()
        guard sys_status_of(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
