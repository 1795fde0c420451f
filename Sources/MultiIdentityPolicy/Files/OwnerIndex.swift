internal import MultiIdentity

/// Owners of files on a file system that keeps no attributes: in memory, and in a log.
///
/// Files are known by device, inode and time of birth, so that a name that comes to be another file's says nothing. The
/// names are kept to find a file again without a walk.
final class OwnerIndex: Sendable {
    static let fileName = "owners.log"
    private static let format = RecordLogFormat(magic: "MIOWNERS", version: 1)

    /// What of the log could not be read when it was opened.
    let damage: [RecordLogDamage]
    /// How many whole records were none that this package knows.
    let unknownRecordCount: Int
    private let log: RecordLog
    private let table: Locked<OwnerTable>
    /// Held while the log is written, and the number of records in the log; look-ups do not wait for the disk.
    private let writing: Locked<Int>

    // The folder is made where there is none.
    init(in folder: String) throws(IdentityFileError) {
        var table = OwnerTable()
        var count = 0
        var unknown = 0
        let log: RecordLog
        do throws(RecordLogError) {
            try Self.makeFolder(folder)
            log = try RecordLog.open("\(folder)/\(Self.fileName)", Self.format, headerFault: .salvaged) { bytes in
                count += 1
                if let record = OwnerRecord(bytes) { table.apply(record) } else { unknown += 1 }
            }
        } catch { throw IdentityFileError(error, "") }
        self.log = log
        damage = log.damage
        unknownRecordCount = unknown
        self.table = Locked(table)
        writing = Locked(count)
    }

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
    }

    func owner(_ key: FileKey, at path: RootedPath) -> FileOwner? { table.withLock { $0.owner(key, at: path) } }

    func entry(_ key: FileKey) -> OwnerTable.Entry? { table.withLock { $0.entries[key] } }

    /// All that is known; a copy, so that nobody waits while it is gone through.
    var entries: [FileKey: OwnerTable.Entry] { table.withLock { $0.entries } }

    var isEmpty: Bool { table.withLock { $0.entries.isEmpty } }

    /// Makes a change known, here and in the log; back when it would survive a power cut.
    func record(_ record: OwnerRecord) throws(RecordLogError) {
        try writing.withLock { (count) throws(RecordLogError) in
            try log.append(record.bytes)
            count += 1
            table.withLock { $0.apply(record) }
        }
    }

    /// As ``record(_:)`` for what only saves a later walk: where it cannot be written, it stays undone here, too.
    func recordIfPossible(_ record: OwnerRecord) { try? self.record(record) }

    /// Writes the log anew where it holds what is no longer so: records that were taken back, names that were wiped.
    func compact() throws(RecordLogError) {
        try writing.withLock { (count) throws(RecordLogError) in
            let (records, isClean) = table.withLock { ($0.records, $0.liveCount == count) }
            if isClean && damage.isEmpty { return }
            try log.compact(to: records)
            count = records.count
        }
    }

    /// Compacts a log of which most is no longer so.
    func compactIfLarge() {
        let isLarge = writing.withLock { $0 > 10_000 && log.size > 1 << 20 }
        guard isLarge else { return }
        let isDue = writing.withLock { count in count > 4 * table.withLock { $0.liveCount } }
        // The change is recorded; that the log is longer than it need be is no reason to refuse it.
        if isDue { try? compact() }
    }

    /// Has neither the index nor its log know of these files any more: not of their owner's name, either.
    func forget(_ keys: Set<FileKey>) throws(RecordLogError) {
        try writing.withLock { (count) throws(RecordLogError) in
            var shorter = table.withLock { $0 }
            for key in keys { shorter.apply(.forget(key)) }
            if keys.isEmpty, shorter.liveCount == count, damage.isEmpty { return }
            let records = shorter.records
            try log.compact(to: records)
            count = records.count
            table.withLock { $0 = shorter }
        }
    }

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
