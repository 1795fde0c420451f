internal import CSystemCalls
internal import MultiIdentity

/// A log of records that several processes append to, read, and rewrite.
///
/// ```swift
/// let log = try SharedRecordLog.open(path, format) { news in … }  // all that is there
/// if try log.hasNews { try log.read { news in … } }               // what others added since
/// ```
///
/// The file's lock is taken for each change and each reading, never for longer; other processes' records come before
/// one's change. A process that ends releases the lock, and the next one cuts off its incomplete record. A rewritten
/// log is a new file with the same name, and is read from its start. Safe to use from several threads.
package final class SharedRecordLog: Sendable {
    /// A part of what is read from a log.
    package enum News: Sendable {
        /// Everything read so far is void: the log was opened, or has been rewritten.
        case begins
        case record([UInt8])
        /// Records were lost between those before and those after.
        case lost
        /// This is all for now; and these parts of it could not be read.
        case ends([RecordLogDamage])
    }

    package typealias Reader = (News) -> Void

    /// Locked while the disk is waited for.
    private struct Writing: Sendable {
        var log: LogFile
        /// The place of the next record; `nil` where the log is to be read from its start.
        var end: UInt64?
    }

    /// The state that means nothing is new; locked only for as long as it takes to copy it.
    private struct Seen: Sendable {
        var log: LogFile
        var end: UInt64
        /// The end of a record of ours that is being written.
        var limit: UInt64
    }

    package let path: String
    private let format: RecordLogFormat
    private let turn: TurnLock
    private let writing: Locked<Writing>
    private let seen: Locked<Seen>

    private init(_ log: LogFile, _ format: RecordLogFormat, _ turn: consuming TurnLock) {
        path = log.file.path
        self.format = format
        self.turn = turn
        writing = Locked(Writing(log: log))
        // Nothing was read, so everything is new.
        seen = Locked(Seen(log: log, end: 0, limit: 0))
    }

    /// Opens a log, or creates an empty one if it is missing.
    ///
    /// Records behind a damaged header are kept.
    ///
    /// - Parameters:
    ///   - path: The log's; its directory exists.
    ///   - format: What the log is of.
    ///   - patience: How many milliseconds another process may have the lock.
    ///   - reader: Is called with all that is there.
    /// - Returns: The log, unlocked.
    /// - Throws: ``RecordLogError``; an existing log is unchanged.
    package static func open(
        _ path: String,
        _ format: RecordLogFormat,
        patience: Int = 30_000,
        _ reader: Reader
    ) throws(RecordLogError) -> SharedRecordLog {
        while true {
            do throws(RecordLogError) {
                if let log = try LogFile.existing(path) {
                    let folder = try RecordLogError.from { () throws(SystemCallError) -> OpenFile in
                        try OpenFile.open(AtomicReplacement.split(path).folder, .directory)
                    }
                    let shared = SharedRecordLog(log, format, TurnLock(folder, patience: patience))
                    try shared.read(reader)
                    return shared
                }
                var draft = try RecordLogDraft(of: path, format)
                if let failure = try draft.finish(.creating).2 { throw failure }
            } catch {
                // Another process created or removed it meanwhile.
                if error.code != .removed, error.systemError?.isAlreadyThere != true { throw error }
            }
        }
    }

    /// Returns whether the log has anything unread, with one system call that never blocks.
    ///
    /// A change of this process's own is no news, whether it is being written or was.
    package var hasNews: Bool {
        get throws(RecordLogError) {
            var known = seen.withLock { $0 }
            while true {
                let status = try RecordLogError.from { () throws(SystemCallError) in try known.log.file.status() }
                if status.linkCount > 0, status.size >= known.end, status.size <= known.limit { return false }
                let now = seen.withLock { $0 }
                if now.log === known.log, now.end == known.end, now.limit == known.limit { return true }
                known = now
            }
        }
    }

    /// Reads what is new.
    package func read(_ reader: Reader) throws(RecordLogError) {
        try locked(reader) { (_) throws(RecordLogError) in }
    }

    /// Reads new records and adds one after them; when this returns, it survives a power cut.
    ///
    /// - Parameters:
    ///   - reader: Called first, with what is new.
    ///   - record: Returns the record to add after that; `nil` for none.
    ///   - done: Called once it is added, before others can read it.
    /// - Throws: ``RecordLogError``; the record was not added, unless a crash or a power cut follows at once, or the disk
    ///   refuses to remove it.
    package func append(
        _ reader: Reader,
        _ record: () -> [UInt8]?,
        done: () -> Void
    ) throws(RecordLogError) {
        try locked(reader) { (writing) throws(RecordLogError) in
            guard let record = record() else { return }
            try RecordLogFormat.check(record.count, path)
            var writer = ByteWriter(.littleEndian)
            RecordLogFormat.addRecord(to: &writer) { $0.add(record) }
            try add(writer.bytes, &writing)
            done()
            settle(writing)
        }
    }

    private func add(_ bytes: [UInt8], _ writing: inout Writing) throws(RecordLogError) {
        let (log, end) = (writing.log, writing.end ?? 0)
        let next = end + UInt64(bytes.count)
        seen.withLock { $0.limit = next }
        do {
            try RecordLogError.from { () throws(SystemCallError) in
                try log.file.write(bytes, at: end)
                try log.file.synchronize()
            }
            // Last: a record in a file that has lost its name is not acknowledged.
            try log.checkName()
            writing.end = next
        } catch {
            // Only now: once the lock is released, others append after it. If it stays, it is read like any other record.
            let isGone = (try? log.file.truncate(to: end)) != nil
            seen.withLock { $0.limit = isGone ? end : 0 }
            throw error
        }
    }

    /// Begins to rewrite the log, which stays in use meanwhile.
    package func draft() throws(RecordLogError) -> RecordLogDraft { try RecordLogDraft(of: path, format) }

    /// Atomically replaces the log with a draft.
    ///
    /// - Parameters:
    ///   - draft: Has the content of the log when the draft was begun.
    ///   - reader: Called first, with what is new.
    ///   - complete: Adds later records to the draft; returns `false` if the draft is void, such as after
    ///     ``News/begins``.
    ///   - done: Called once the draft has the log's name, before anyone can find it.
    /// - Returns: The result of `complete`.
    /// - Throws: ``RecordLogError``; the old log stays in use. If only the last call failed, the new one is in use,
    ///   `done` was not called, and a power cut may bring back the old one.
    package func replace(
        by draft: inout RecordLogDraft,
        _ reader: Reader,
        completing complete: (inout RecordLogDraft) throws(RecordLogError) -> Bool,
        done: () -> Void
    ) throws(RecordLogError) -> Bool {
        try locked(reader) { (writing) throws(RecordLogError) in
            guard try complete(&draft) else { return false }
            let (log, end, failure) = try draft.finish(.replacing)
            writing = Writing(log: log, end: end)
            if failure == nil { done() }
            settle(writing)
            if let failure { throw failure }
            return true
        }
    }

    /// Removes the log's file, if that is still due after reading what is new; then the log must not be used any more.
    package func remove(_ reader: Reader, ifDue isDue: () -> Bool) throws(RecordLogError) -> Bool {
        try locked(reader) { (_) throws(RecordLogError) in
            guard isDue() else { return false }
            let (folder, name) = AtomicReplacement.split(path)
            try RecordLogError.from { () throws(SystemCallError) in
                let directory = try OpenFile.open(folder, .directory)
                try directory.unlink(name)
                try directory.synchronize()
            }
            return true
        }
    }

    /// Runs `body` while the log is locked and fully read.
    private func locked<Value>(
        _ reader: Reader,
        _ body: (inout Writing) throws(RecordLogError) -> Value
    ) throws(RecordLogError) -> Value {
        try writing.withLock { (writing) throws(RecordLogError) -> Value in
            try lock(&writing, reader)
            // A process that is just being started shares the lock until it executes its program.
            defer { try? writing.log.file.unlock() }
            try catchUp(&writing, reader)
            return try body(&writing)
        }
    }

    private func lock(_ writing: inout Writing, _ reader: Reader) throws(RecordLogError) {
        try turn.waiting(path) { () throws(RecordLogError) -> Bool in
            do throws(RecordLogError) {
                switch try writing.log.lockIfFree() {
                case .taken: return true
                case .inUse: return false
                case .stale:
                    if let log = try LogFile.existing(path) {
                        // The log was rewritten.
                        writing = Writing(log: log)
                        return false
                    }
                    // The process that removed it may have added to it before.
                    try catchUp(&writing, reader)
                }
            } catch {
                if error.systemError?.isNotFound != true { throw error }
            }
            throw RecordLogError(removed: path)
        }
    }

    private func catchUp(_ writing: inout Writing, _ reader: Reader) throws(RecordLogError) {
        let log = writing.log
        let size = try RecordLogError.from { () throws(SystemCallError) in try log.file.status().size }
        if let end = writing.end, size < end { writing.end = nil }
        if writing.end == size { return settle(writing) }
        let known = writing.end
        // If this fails after reading some, all of it must be read again.
        writing.end = nil
        if known == nil { reader(.begins) }
        let (end, damage) = try log.read(format, behind: known, lost: { reader(.lost) }) {
            reader(.record($0))
        }
        reader(.ends(damage))
        writing.end = end
        settle(writing)
    }

    /// Notes that nothing is new, for later checks.
    private func settle(_ writing: Writing) {
        guard let end = writing.end else { return }
        seen.withLock { $0 = Seen(log: writing.log, end: end, limit: end) }
    }
}
