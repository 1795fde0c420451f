internal import CMultiIdentityFiles
internal import MultiIdentity

/// Owners of files on a file system that keeps no attributes: in memory, and in a log.
///
/// Files are known by device, inode and time of birth, so that a name that comes to be another file's says nothing. The
/// names are kept to find a file again without a walk.
final class OwnerIndex: Sendable {
    static let fileName = "owners.log"
    private static let format = RecordLogFormat(magic: "MIOWNERS", version: 1)

    /// The state of the log's file.
    struct Written: Sendable {
        /// The number of records that it has.
        var count = 0
        /// It holds what is no longer so: records that were taken back, names that were wiped.
        var isStale = false
        /// The parts that could not be read when it was opened; until a repair has reported them, they stay there.
        var damage: [RecordLogDamage] = []
        /// The number of whole records that this package does not know.
        var unknownCount = 0
        /// The records since the log began to be written anew; `nil` where it is not.
        var since: Since?

        struct Since: Sendable {
            var records: [OwnerRecord] = []
            var isStale = false
        }

        /// True if records are lost; neither a torn write, which was not acknowledged, nor a damaged header counts.
        var hasLosses: Bool { unknownCount > 0 || damage.contains { !$0.isTail && $0.offset > 0 } }
    }

    let log: RecordLog
    let table: Locked<OwnerTable>
    /// Locked while the log is written; look-ups do not wait for the disk.
    let writing: Locked<Written>
    /// Locked while the log is written anew; what is recorded does not wait for that.
    let rewriting = Locked(())

    // The folder is made where there is none.
    init(in folder: String) throws(IdentityFileError) {
        var table = OwnerTable()
        var written = Written()
        var owners = OwnersRead()
        let log: RecordLog
        do throws(RecordLogError) {
            try Self.makeFolder(folder)
            let path = "\(folder)/\(Self.fileName)"
            let lost = { table.noteLoss() }
            log = try RecordLog.open(path, Self.format, headerFault: .salvaged, lost: lost) { bytes in
                written.count += 1
                guard let record = try? OwnerRecord(bytes, &owners) else {
                    table.noteLoss()
                    return written.unknownCount += 1
                }
                if !table.apply(record) { written.isStale = true }
            }
            table.doubtWhatMayHaveChanged()
        } catch { throw IdentityFileError(error, "") }
        self.log = log
        self.table = Locked(table)
        written.damage = log.damage
        written.isStale = written.isStale || !log.damage.isEmpty
        writing = Locked(written)
    }

    /// The parts of the log that could not be read when it was opened, and that no repair has reported yet.
    var damage: [RecordLogDamage] { writing.withLock { $0.damage } }

    /// Indicates whether records were lost, each of which may have been anybody's.
    var hasLosses: Bool { writing.withLock { $0.hasLosses } }

    static func exists(in folder: String) -> Bool {
        (try? OpenFile.open(folder, .directory).status(of: fileName)) != nil
    }

    private static func makeFolder(_ path: String) throws(RecordLogError) {
        let (parent, name) = AtomicReplacement.split(path)
        do throws(SystemCallError) {
            let directory = try OpenFile.open(parent, .directory)
            try directory.makeDirectory(name, permissions: 0o700)
            try directory.synchronize()
        } catch {
            if !error.isAlreadyThere { throw RecordLogError(error) }
        }
        try check(path)
    }

    /// Nobody else may take the log away, after which no file would have an owner.
    private static func check(_ path: String) throws(RecordLogError) {
        let status = try RecordLogError.from { () throws(SystemCallError) in
            try OpenFile.open(path, .directory).status()
        }
        guard status.user == geteuid() || status.user == 0 else {
            let message = "\(path) belongs to user \(status.user), who can take the index away. Name another folder."
            throw RecordLogError(.wrongOwner, message)
        }
        guard status.permissions & 0o022 == 0 || status.permissions & 0o1000 != 0 else {
            let mode = String(status.permissions, radix: 8)
            let message = "\(path) has mode \(mode), so others can take the index away. Give it mode 700."
            throw RecordLogError(.wrongPermissions, message)
        }
    }

    /// Indicates whether the owner of some file is uncertain: any of them may be anybody's.
    var hasDoubts: Bool { table.withLock { $0.uncertainCount > 0 } }

    /// The owner of a file that was looked at by this name.
    /// - Throws: ``IdentityFileError`` where it is uncertain.
    func owner(_ key: FileKey, at path: RootedPath) throws(IdentityFileError) -> FileOwner? {
        guard let entry = entry(key, at: path) else { return nil }
        if entry.isUncertain { throw IdentityFileError(uncertainOwner: entry.owner, of: path.text) }
        return entry.owner
    }

    /// The entry of a file that was looked at by this name.
    func entry(_ key: FileKey, at path: RootedPath) -> OwnerTable.Entry? {
        table.withLock { $0.entry(key, at: path) }
    }

    func entry(_ key: FileKey) -> OwnerTable.Entry? { table.withLock { $0.entries[key] } }

    /// All that is known; a copy, so that nobody waits while it is gone through.
    var entries: OwnerEntries { table.withLock { $0.entries } }

    var isEmpty: Bool { table.withLock { $0.entries.isEmpty } }

    /// Makes a change known, here and in the log; back when it would survive a power cut.
    func record(_ record: OwnerRecord) throws(RecordLogError) {
        try writing.withLock { (written) throws(RecordLogError) in
            try log.append(record.bytes)
            written.count += 1
            let isStale = !table.withLock { $0.apply(record) }
            written.isStale = written.isStale || isStale
            written.since?.records.append(record)
            if isStale { written.since?.isStale = true }
        }
    }

    /// As ``record(_:)`` for what only saves a later walk: where it cannot be written, it stays undone here, too.
    func recordIfPossible(_ record: OwnerRecord) { try? self.record(record) }

    /// Removes what an interrupted compaction left beside the log, which has names in it.
    func sweep() throws(RecordLogError) {
        let (folder, _) = AtomicReplacement.split(log.path)
        do throws(SystemCallError) {
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

    /// Removes the log's file, once nothing is in it any more.
    func removeLog() throws(RecordLogError) { try writing.withLock { (_) throws(RecordLogError) in try log.remove() } }
}
