/// The content of an index: of each file its owner and its names; changed by the records of the log.
struct OwnerTable: Sendable {
    struct Entry: Hashable, Sendable {
        var owner: FileOwner
        var names: [RootedPath]
        /// A record that was damaged since may have named another owner, or another file with this number.
        var isUncertain = false
    }

    private(set) var entries = OwnerEntries()
    /// The number of records that the log would have if it had only what is known now.
    private(set) var liveCount = 0
    /// The number of files with an uncertain owner.
    private(set) var uncertainCount = 0
    /// The files that were recorded since a record was last lost; `nil` where none was.
    private var recordedSince: Set<FileKey>?

    private mutating func set(_ key: FileKey, _ entry: Entry?) {
        let old = entries[key]
        entries[key] = entry
        uncertainCount += (entry?.isUncertain == true ? 1 : 0) - (old?.isUncertain == true ? 1 : 0)
        liveCount += (entry.map { max(1, $0.names.count) } ?? 0) - (old.map { max(1, $0.names.count) } ?? 0)
    }

    /// - Returns: Whether the record only adds to those before it: a log of such records holds nothing that is not so.
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
            for (key, entry) in entries {
                var entry = entry
                for name in entry.names {
                    if let other = name.moved(from: old, to: new), !entry.names.contains(other) {
                        entry.names.append(other)
                    }
                }
                if entry.names.count != entries[key]?.names.count { set(key, entry) }
            }
        case .drop(let path):
            for (key, entry) in entries where entry.names.contains(where: { $0.moved(from: path, to: path) != nil }) {
                var entry = entry
                entry.names.removeAll { $0.moved(from: path, to: path) != nil }
                set(key, entry)
            }
        }
        return false
    }

    /// Returns whether a record that takes something back has anything to take back; any other is to be written.
    func knows(whatIsTakenBackBy record: OwnerRecord) -> Bool {
        guard record.isTakenBack, let key = record.key else { return true }
        return entries[key] != nil
    }

    /// A record was lost between those before it and those after it.
    mutating func noteLoss() { recordedSince = [] }

    /// Doubts what was known before a record was lost, once all were read: it may have changed any of that.
    mutating func doubtWhatMayHaveChanged() {
        guard let recordedSince else { return }
        for (key, entry) in entries where !recordedSince.contains(key) {
            var entry = entry
            entry.isUncertain = true
            set(key, entry)
        }
        self.recordedSince = nil
    }

    /// The entry of a file that was looked at by this name.
    ///
    /// Where the time of birth is unknown, a number that was given again would be taken for the file that had it; there
    /// the name has to be a recorded one, too, or what a crash left of a replacement: a name of ours that no record has.
    func entry(_ key: FileKey, at path: RootedPath) -> Entry? {
        guard let entry = entries[key] else { return nil }
        if key.birthTime != nil || entry.names.contains(path) { return entry }
        return AtomicReplacement.isTemporary(path.parts.name) ? entry : nil
    }

    /// Returns what is known of a file, as records.
    static func records(_ key: FileKey, _ entry: Entry) -> [OwnerRecord] {
        if entry.names.isEmpty {
            // The only way to say that a file has no known name.
            let path = RootedPath(known: "-")
            return [.put(key, entry.owner, path, isUncertain: entry.isUncertain), .unname(key, path)]
        }
        return entry.names.map { .put(key, entry.owner, $0, isUncertain: entry.isUncertain) }
    }
}
