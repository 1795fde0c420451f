/// The content of an index: the owner and the names of each file, built from the records of the log.
struct OwnerTable: Sendable {
    struct Entry: Hashable, Sendable {
        var owner: FileOwner
        var names: [RootedPath]
        /// A damaged later record may have named another owner, or another file with this inode number.
        var isUncertain = false
    }

    private(set) var entries = OwnerEntries()
    /// The number of files.
    private(set) var count = 0
    /// The number of files with an uncertain owner.
    private(set) var uncertainCount = 0
    /// The files recorded since a record was last lost; `nil` if none was lost.
    private var recordedSince: Set<FileKey>?

    private mutating func set(_ key: FileKey, _ entry: Entry?) {
        let old = entries[key]
        entries[key] = entry
        uncertainCount += (entry?.isUncertain == true ? 1 : 0) - (old?.isUncertain == true ? 1 : 0)
        count += (entry == nil ? 0 : 1) - (old == nil ? 0 : 1)
    }

    /// Adds the files of a block: in place if none of them is known yet, otherwise one by one.
    mutating func apply(_ block: OwnerBlock) {
        if recordedSince == nil, entries.add(block) {
            count += block.count
            uncertainCount += block.uncertainCount
            return
        }
        for row in 0..<block.count {
            recordedSince?.insert(block.key(row))
            set(block.key(row), block.entry(row))
        }
    }

    /// - Returns: Whether the record only adds to those before it: a log of such records has no outdated ones.
    @discardableResult
    mutating func apply(_ record: OwnerRecord) -> Bool {
        switch record {
        case .put(let key, let owner, let path, let isUncertain):
            recordedSince?.insert(key)
            let old = entries[key]
            var entry = old ?? Entry(owner: owner, names: [])
            entry.owner = owner
            entry.isUncertain = isUncertain
            if !entry.names.contains(path) { entry.names.append(path) }
            set(key, entry)
            return old.map {
                $0.owner == owner && $0.isUncertain == isUncertain && $0.names != entry.names
            } ?? true
        case .forget(let key):
            set(key, nil)
        case .unname(let key, let path):
            guard var entry = entries[key] else { return false }
            entry.names.removeAll { $0 == path }
            set(key, entry)
        case .alias(let old, let new):
            for key in entries.keys(below: old) {
                guard var entry = entries[key] else { continue }
                for name in entry.names {
                    if let other = name.moved(from: old, to: new), !entry.names.contains(other) {
                        entry.names.append(other)
                    }
                }
                set(key, entry)
            }
        case .drop(let path):
            for key in entries.keys(below: path) {
                guard var entry = entries[key] else { continue }
                entry.names.removeAll { $0.isBelow(path) }
                set(key, entry)
            }
        }
        return false
    }

    /// Returns whether a record must be written; one that undoes something, only if there is something to undo.
    func knows(whatIsTakenBackBy record: OwnerRecord) -> Bool {
        guard record.isTakenBack, let key = record.key else { return true }
        return entries[key] != nil
    }

    /// Notes that a record was lost between the earlier and the later ones.
    mutating func noteLoss() { recordedSince = [] }

    /// Marks what was known before a lost record as uncertain, once all are read: the record may have changed it.
    mutating func doubtWhatMayHaveChanged() {
        guard let recordedSince else { return }
        for (key, entry) in entries where !recordedSince.contains(key) {
            var entry = entry
            entry.isUncertain = true
            set(key, entry)
        }
        self.recordedSince = nil
    }

    /// The entry of a file that was found under this name.
    ///
    /// If the birth time is unknown, a reused inode number would be taken for the earlier file. The name must then also
    /// be a recorded one, or the temporary name of a replacement that a crash left.
    func entry(_ key: FileKey, at path: RootedPath) -> Entry? {
        guard let entry = entries[key] else { return nil }
        if key.birthTime != nil || entry.names.contains(path) { return entry }
        return AtomicReplacement.isTemporary(path.parts.name) ? entry : nil
    }

    /// Works like ``entry(_:at:)``, without the names of the file.
    func owner(_ key: FileKey, at path: RootedPath) -> (owner: FileOwner, isUncertain: Bool)? {
        if key.birthTime != nil { return entries.owner(key) }
        return entry(key, at: path).map { ($0.owner, $0.isUncertain) }
    }
}
