internal import MultiIdentity

/// A file of appended records, each complete or absent: for the index of owners and the journals of wipes.
///
/// ```swift
/// let format = RecordLogFormat(magic: "MIJOURNL", version: 1)
/// let log = try RecordLog.open(path, format) { record in … }  // each that is there, in order
/// try log.append(bytes)                                       // back when it would survive a power cut
/// for damage in log.damage { … }                              // what could not be read, with its offset
/// ```
///
/// The file must be private (mode 0600, owned by the process's user), and is locked for the lifetime of the log.
/// Safe to use from several threads.
package final class RecordLog: Sendable {
    private struct State: Sendable {
        var log: LogFile
        /// The place of the next record.
        var end: UInt64
        /// Something may follow the end; it is cut off before the next record.
        var hasRest = false
    }

    package let path: String
    /// The parts that could not be read when the log was opened.
    package let damage: [RecordLogDamage]
    private let format: RecordLogFormat
    private let state: Locked<State>

    private init(_ log: LogFile, end: UInt64, _ format: RecordLogFormat, _ damage: [RecordLogDamage]) {
        path = log.file.path
        self.format = format
        self.damage = damage
        state = Locked(State(log: log, end: end))
    }

    /// Opens a log, or creates an empty one if it is missing.
    ///
    /// The records behind a damaged header are kept, and the damage is reported with offset 0. A header of a later version is
    /// whole, and refused; so is a file with no record at all, which may be anything.
    ///
    /// - Parameters:
    ///   - path: The log's; its directory exists.
    ///   - format: What the log is of.
    ///   - record: Is called with each whole record, in order.
    /// - Returns: The log, locked.
    /// - Throws: ``RecordLogError``; an existing log is unchanged.
    package static func open(
        _ path: String,
        _ format: RecordLogFormat,
        _ record: ([UInt8]) -> Void
    ) throws(RecordLogError) -> RecordLog {
        while true {
            if let log = try LogFile.existing(path) {
                // The opened file is locked, but another file may have replaced it under its name.
                guard try log.lock() else { continue }
                let (end, damage) = try log.read(format, lost: {}, record)
                return RecordLog(log, end: end, format, damage)
            }
            do { return try made(path, format) } catch {
                if error.systemError?.isAlreadyThere != true { throw error }
            }
        }
    }

    private static func made(_ path: String, _ format: RecordLogFormat) throws(RecordLogError) -> RecordLog {
        var draft = try RecordLogDraft(of: path, format)
        let (log, end, failure) = try draft.finish(.creating)
        if let failure { throw failure }
        return RecordLog(log, end: end, format, [])
    }

    /// Adds a record; when this returns, the record survives a power cut.
    ///
    /// - Parameter record: At most ``RecordLogFormat/maximumRecordLength`` bytes. What belongs together is one record.
    /// - Throws: ``RecordLogError``; the record was not added, unless a crash or a power cut follows at once.
    package func append(_ record: [UInt8]) throws(RecordLogError) {
        try RecordLogFormat.check(record.count, path)
        var writer = ByteWriter(.littleEndian)
        RecordLogFormat.addRecord(to: &writer) { $0.add(record) }
        let bytes = writer.bytes
        try state.withLock { (state) throws(RecordLogError) in
            do throws(RecordLogError) {
                try RecordLogError.from { () throws(SystemCallError) in
                    if state.hasRest { try state.log.file.truncate(to: state.end) }
                    state.hasRest = true
                    try state.log.file.write(bytes, at: state.end)
                    try state.log.file.synchronize()
                }
                // Last: what nobody would find by the name is not acknowledged, however well it was written.
                try state.log.checkName()
                state.hasRest = false
                state.end += UInt64(bytes.count)
            } catch {
                // Now if possible, otherwise before the next record.
                if (try? state.log.file.truncate(to: state.end)) != nil { state.hasRest = false }
                throw error
            }
        }
    }
}
