/// A log that is rewritten beside the one in use, and replaces it once it is complete (``SharedRecordLog/replace``).
///
/// If it is dropped before, it is removed.
package struct RecordLogDraft: ~Copyable, Sendable {
    private var replacement: AtomicReplacement
    private let path: String
    private var buffer: ByteWriter
    /// Without what is in the buffer.
    private var size: UInt64 = 0
    private var unsynchronized = 0

    /// Written at once.
    private static let piece = 1 << 18
    /// Synchronised at once: what others synchronise meanwhile waits for all that the system has not written yet.
    private static let span = 1 << 22

    init(of path: String, _ format: RecordLogFormat) throws(RecordLogError) {
        replacement = try RecordLogError.from { () throws(SystemCallError) in
            try AtomicReplacement.begin(path: path, permissions: 0o600)
        }
        self.path = path
        buffer = ByteWriter(.littleEndian)
        buffer.reserveCapacity(Self.piece + 1 << 12)
        buffer.add(format.header)
    }

    /// Adds a record.
    ///
    /// - Parameter write: Adds its bytes, ``RecordLogFormat/maximumRecordLength`` at most.
    /// - Throws: ``RecordLogError``.
    package mutating func append(_ write: (inout ByteWriter) -> Void) throws(RecordLogError) {
        let start = buffer.bytes.count
        let length = RecordLogFormat.addRecord(to: &buffer, write)
        do { try RecordLogFormat.check(length, path) } catch {
            buffer.shorten(to: start)
            throw error
        }
        if buffer.bytes.count < Self.piece { return }
        do {
            try writeBuffer()
            if unsynchronized >= Self.span { try synchronizeFile() }
        } catch { throw RecordLogError(error) }
    }

    /// Writes the draft to the disk, so that little is left to do when it replaces the log.
    package mutating func synchronize() throws(RecordLogError) {
        do {
            try writeBuffer()
            try synchronizeFile()
        } catch { throw RecordLogError(error) }
    }

    private mutating func writeBuffer() throws(SystemCallError) {
        let count = buffer.bytes.count
        if count == 0 { return }
        try replacement.file.write(buffer.bytes)
        size += UInt64(count)
        unsynchronized += count
        buffer.shorten(to: 0)
    }

    private mutating func synchronizeFile() throws(SystemCallError) {
        if unsynchronized == 0 { return }
        try replacement.synchronize()
        unsynchronized = 0
    }

    /// Gives the draft the log's name.
    ///
    /// - Returns: The locked file, the position of the next record, and, if only the last call failed, why it may not
    ///   survive a power cut. That call comes after the rename, so the path is already the new file's.
    mutating func finish(
        _ commit: AtomicReplacement.Commit
    ) throws(RecordLogError) -> (LogFile, UInt64, RecordLogError?) {
        let log: LogFile
        do {
            try writeBuffer()
            try synchronizeFile()
            log = LogFile(try replacement.file.duplicate())
            try replacement.rename(commit)
        } catch { throw RecordLogError(error) }
        do { try replacement.synchronizeName() } catch { return (log, size, .init(error)) }
        return (log, size, nil)
    }
}
