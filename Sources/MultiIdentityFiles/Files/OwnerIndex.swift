internal import CSystemCalls
internal import MultiIdentity

/// Owners of files on a file system that keeps no attributes: in memory, and in a log.
///
/// Files are identified by device, inode and time of birth, so a name that another file takes over means nothing. Names
/// are kept to find a file again without a walk.
final class OwnerIndex: Sendable {
    static let fileName = "owners.log"
    private static let turnName = "owners.lock"
    private static let format = RecordLogFormat(magic: "MIOWNERS", version: 2)

    /// The state of the log's file.
    struct Written: Sendable {
        /// The number of records after its blocks, which make opening slow.
        var count = 0
        /// Indicates whether it contains outdated records: superseded ones, and wiped names.
        var isStale = false
        /// The parts that could not be read; until a repair has reported them, they stay there.
        var damage: [RecordLogDamage] = []
        /// The number of complete records of unknown kinds.
        var unknownCount = 0
        /// The records since the rewriting of the log began; `nil` if there is none, or if it is void.
        var since: Since?
        /// The entries read so far from the log's start; in force once all are read.
        var fresh: OwnerTable?
        var owners = OwnersRead()

        struct Since: Sendable {
            var records: [OwnerRecord] = []
            var isStale = false
        }

        /// True if records are lost; neither a torn write, which was not acknowledged, nor a damaged header counts.
        var hasLosses: Bool { unknownCount > 0 || damage.contains { !$0.isTail && $0.offset > 0 } }
    }

    let log: SharedRecordLog
    let table: Locked<OwnerTable>
    /// Locked while the log is written; lookups do not wait for the disk, except for another process's records.
    let writing: Locked<Written>
    /// Locked while the log is rewritten; recording does not wait for that.
    let rewriting = Locked(())
    /// Other processes' changes of names, for wipes.
    let moves = Locked(ForeignMoves())
    /// The order of the callers that wait to give names.
    let turn: TurnLock

    private static let patience = 30_000

    // Creates the folder if it is missing.
    init(in folder: String) throws(IdentityFileError) {
        let table = Locked(OwnerTable())
        var written = Written()
        let moves = moves
        do {
            try Self.makeFolder(folder)
            let file = try RecordLogError.from { () throws(SystemCallError) in try Self.turnFile(in: folder) }
            turn = TurnLock(file, patience: Self.patience)
            log = try SharedRecordLog.open("\(folder)/\(Self.fileName)", Self.format) {
                Self.take($0, &written, table, moves)
            }
        } catch { throw IdentityFileError(error, "") }
        self.table = table
        writing = Locked(written)
    }

    private static func turnFile(in folder: String) throws(SystemCallError) -> OpenFile {
        let directory = try OpenFile.open(folder, .directory)
        do { return try directory.open(turnName, .reading) } catch { if error.code != ENOENT { throw error } }
        do { return try directory.open(turnName, .creating) } catch {
            if !error.isAlreadyThere { throw error }
            return try directory.open(turnName, .reading)
        }
    }

    /// Adopts records of another process, or of the log when it is opened.
    static func take(
        _ news: SharedRecordLog.News,
        _ written: inout Written,
        _ table: Locked<OwnerTable>,
        _ moves: Locked<ForeignMoves>
    ) {
        func lose() {
            if written.fresh?.noteLoss() == nil { table.withLock { $0.noteLoss() } }
            written.since = nil
        }
        switch news {
        case .begins: written = Written(fresh: OwnerTable())
        case .record(let bytes):
            if bytes.first == OwnerBlock.kind {
                guard let block = try? OwnerBlock(bytes, &written.owners) else {
                    written.unknownCount += 1
                    return lose()
                }
                if written.fresh?.apply(block) == nil { table.withLock { $0.apply(block) } }
                return moves.withLock { $0.noteAll(in: block) }
            }
            written.count += 1
            guard let record = try? OwnerRecord(bytes, &written.owners) else {
                written.unknownCount += 1
                return lose()
            }
            let isStale = !(written.fresh?.apply(record) ?? table.withLock { $0.apply(record) })
            written.note(record, isStale: isStale)
            moves.withLock { $0.note(record) }
        case .lost: lose()
        case .ends(let damage):
            if written.fresh?.doubtWhatMayHaveChanged() == nil { table.withLock { $0.doubtWhatMayHaveChanged() } }
            written.damage += damage
            written.isStale = written.isStale || !damage.isEmpty
            if let fresh = written.fresh {
                written.fresh = nil
                table.withLock { $0 = fresh }
            }
        }
    }

    /// Reads what other processes wrote: one system call if they wrote nothing.
    ///
    /// If the private log is gone, the last known state stays, and nothing can be recorded.
    /// - Throws: ``RecordLogError`` if the log exists and cannot be read.
    func catchUp() throws(RecordLogError) {
        do {
            guard try log.hasNews else { return }
            try writing.withLock { (written) throws(RecordLogError) in
                try log.read { Self.take($0, &written, table, moves) }
            }
        } catch {
            let isAnothers = error.code != .systemCall && error.code != .inUse && error.code != .newerVersion
            if !isAnothers { throw error }
        }
    }

    private func current<Value>(_ body: (OwnerTable) -> Value) throws(IdentityFileError) -> Value {
        do { try catchUp() } catch { throw IdentityFileError(error, "") }
        return table.withLock { body($0) }
    }

    /// The parts of the log that could not be read, and that no repair has reported yet.
    var damage: [RecordLogDamage] { writing.withLock { $0.damage } }

    /// Indicates whether records were lost, each of which may have named any owner.
    var hasLosses: Bool { writing.withLock { $0.hasLosses } }

    static func exists(in folder: String) -> Bool {
        (try? OpenFile.open(folder, .directory).status(of: fileName)) != nil
    }

    private static func makeFolder(_ path: String) throws(RecordLogError) {
        let (parent, name) = AtomicReplacement.split(path)
        do {
            let directory = try OpenFile.open(parent, .directory)
            try directory.makeDirectory(name, permissions: 0o700)
            try directory.synchronize()
        } catch {
            if !error.isAlreadyThere { throw RecordLogError(error) }
        }
        try check(path)
    }

    /// Throws if another user can remove the log, which would leave all files without an owner.
    private static func check(_ path: String) throws(RecordLogError) {
        let status = try RecordLogError.from { () throws(SystemCallError) in
            try OpenFile.open(path, .directory).status()
        }
        guard status.user == geteuid() || status.user == 0 else {
            let message = "\(path) belongs to user \(status.user), who can remove the index. Name another folder."
            throw RecordLogError(.wrongOwner, message)
        }
        guard status.permissions & 0o022 == 0 || status.permissions & 0o1000 != 0 else {
            let mode = String(status.permissions, radix: 8)
            let message = "\(path) has mode \(mode), so others can remove the index. Change its mode to 700."
            throw RecordLogError(.wrongPermissions, message)
        }
    }

    /// Indicates whether the owner of some file is uncertain: each may have any owner.
    var hasDoubts: Bool { table.withLock { $0.uncertainCount > 0 } }

    /// The owner of a file that was found under this name.
    /// - Throws: ``IdentityFileError`` if the owner is uncertain.
    func owner(_ key: FileKey, at path: RootedPath) throws(IdentityFileError) -> FileOwner? {
        guard let (owner, isUncertain) = try current({ $0.owner(key, at: path) }) else { return nil }
        if isUncertain { throw IdentityFileError(uncertainOwner: owner, of: path.text) }
        return owner
    }

    /// The entry of a file that was found under this name.
    func entry(_ key: FileKey, at path: RootedPath) throws(IdentityFileError) -> OwnerTable.Entry? {
        try current { $0.entry(key, at: path) }
    }

    func entry(_ key: FileKey) throws(IdentityFileError) -> OwnerTable.Entry? { try current { $0.entries[key] } }

    /// All known entries; a copy, so that no one waits while it is read.
    var entries: OwnerEntries {
        get throws(IdentityFileError) { try current(\.entries) }
    }

    /// Records a change, here and in the log; when this returns, it survives a power cut.
    ///
    /// The removal of an unknown file or name is not recorded, because another process may have wiped it.
    func record(_ record: OwnerRecord) throws(RecordLogError) {
        try writing.withLock { (written) throws(RecordLogError) in
            try log.append(
                { Self.take($0, &written, table, moves) },
                { table.withLock { $0.knows(whatIsTakenBackBy: record) } ? record.bytes : nil },
                done: {
                    let isStale = !table.withLock { $0.apply(record) }
                    written.count += 1
                    written.note(record, isStale: isStale)
                }
            )
        }
    }

    /// Records a change that only saves a later walk; if it cannot be written, it is not made here either.
    func recordIfPossible(_ record: OwnerRecord) { try? self.record(record) }

    /// Removes the leftovers of an interrupted compaction, because they contain names.
    func sweep() throws(RecordLogError) {
        let (folder, _) = AtomicReplacement.split(log.path)
        do {
            let directory = try OpenFile.open(folder, .directory)
            var left: [String] = []
            try directory.forEachName(
                { (name, _) throws(SystemCallError) in
                    if let name, AtomicReplacement.isTemporary(name) { left.append(name) }
                },
                failing: { $0 }
            )
            for name in left { _ = try AtomicReplacement.sweep(name, in: directory) }
            if !left.isEmpty { try directory.synchronize() }
        } catch { throw RecordLogError(error) }
    }

    /// Removes the log's file if it is empty.
    func removeLogIfEmpty() throws(RecordLogError) -> Bool {
        try writing.withLock { (written) throws(RecordLogError) in
            try log.remove {
                Self.take($0, &written, table, moves)
            } ifDue: {
                table.withLock { $0.entries.isEmpty }
            }
        }
    }
}

extension OwnerIndex.Written {
    mutating func note(_ record: OwnerRecord, isStale: Bool) {
        self.isStale = self.isStale || isStale
        since?.records.append(record)
        if isStale { since?.isStale = true }
    }
}
