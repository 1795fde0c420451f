import CSystemCalls
import MultiIdentity
import MultiIdentityFiles

/// The journal of one wipe, open and locked: no one else runs that wipe meanwhile.
final class WipeJournal: Sendable {
    enum Purpose {
        /// A wipe was requested: its journal is created if it is missing.
        case wiping
        /// Continues an interrupted wipe, if there is one.
        case resuming
    }

    enum Opened {
        case journal(WipeJournal)
        /// Nothing to run: `nil` if there was nothing to resume, or the report of a wipe whose journal only had to be renamed.
        case over(WipeReport?)
    }

    let identity: Identity
    /// The notes of earlier runs.
    let history: WipeHistory
    /// The number of places that could not be read.
    let damage: Int
    private let journals: JournalFolder
    private let digest: String
    /// `nil` once the run has ended, since threads that end later keep this and must not block the next run.
    private let log: Locked<RecordLog?>
    let path: String

    private init(
        _ identity: Identity,
        _ digest: String,
        _ journals: JournalFolder,
        _ log: RecordLog,
        _ history: WipeHistory
    ) {
        self.identity = identity
        self.digest = digest
        self.journals = journals
        self.log = Locked(log)
        path = log.path
        self.history = history
        damage = log.damage.count { !$0.isTail } + history.strangeRecords
    }

    /// Opens an identity's journal; one that does not name the identity is moved away.
    static func open(_ identity: Identity, in journals: JournalFolder, _ purpose: Purpose) throws(ProtectionError)
        -> Opened
    {
        try journals.make()
        let digest = try JournalFolder.digest(of: identity)
        while true {
            switch journals.read(digest) {
            case .gone, .empty: if purpose == .resuming { return .over(nil) }
            case .history: break
            // Before it is opened, which would cut off unreadable parts.
            case .unreadable(let failure, mayBeSetAside: true): _ = journals.setAside(digest, failure)
            case .unreadable: break
            }
            var history = WipeHistory()
            let log = try Self.log(journals.path(digest, .journal)) { history.take($0) }
            let isStrange =
                history.identity == nil && (history.strangeRecords > 0 || log.damage.contains { !$0.isTail })
            if isStrange || history.identity.map({ $0 != identity }) == true {
                try ProtectionError.from { () throws(SystemCallError) in
                    try journals.rename(digest, from: .journal, to: .setAside)
                }
                continue
            }
            if let report = history.report, history.isComplete {
                try ProtectionError.from { () throws(SystemCallError) in
                    try journals.rename(digest, from: .journal, to: .report)
                }
                if purpose == .resuming { return .over(report) }
                continue
            }
            history.noteLostCount()
            let journal = WipeJournal(identity, digest, journals, log, history)
            if purpose == .resuming, history.identity == nil {
                // The run that had it open ended while it was being opened here.
                journal.removeUnbegun()
                return .over(nil)
            }
            return .journal(journal)
        }
    }

    /// Opens the log; a reader of its state keeps it only for a moment.
    static func log(_ path: String, _ record: ([UInt8]) -> Void) throws(ProtectionError) -> RecordLog {
        var attempts = 0
        while true {
            do { return try RecordLog.open(path, JournalFolder.format, record) } catch {
                guard error.code == .inUse, attempts < 10 else { throw ProtectionError(error) }
                usleep(10_000)
                attempts += 1
            }
        }
    }

    /// Adds a record; back when it would survive a power cut.
    func note(_ record: WipeRecord) throws(RecordLogError) {
        guard let log = log.withLock({ $0 }) else { return }
        try log.append(record.bytes(of: identity))
    }

    /// Closes the log, so that others can open it.
    func close() { log.withLock { $0 = nil } }

    /// Gives the journal of a complete wipe the name of a report.
    func finish() throws(SystemCallError) { try journals.rename(digest, from: .journal, to: .report) }

    /// Removes a journal of a wipe that did not begin.
    func removeUnbegun() {
        // Best effort: an empty journal means nothing, and the next resumption removes it.
        if history.runs == 0 { try? journals.remove(digest, .journal) }
    }
}
