internal import MultiIdentity

/// The log is rewritten beside itself, and blocks others only while it replaces the old one: with a million records the
/// rewriting takes seconds.
extension OwnerIndex {
    /// Rewrites the log if it contains outdated records.
    ///
    /// - Parameter areLossesTold: Whether lost records may be forgotten; otherwise such a log stays.
    /// - Throws: ``RecordLogError``; the log is unchanged.
    func compact(areLossesTold: Bool = false) throws(RecordLogError) {
        try rewrite(without: [], of: .unset, keepsDamage: false, { _ in }) { written in
            (written.isStale || written.hasLosses) && (areLossesTold || !written.hasLosses)
        }
    }

    /// Rewrites the log once its additions would make opening it slow.
    ///
    /// The limit is proportional to the content, so each record is written at most about 16 times, in a file of a
    /// million.
    func compactIfLarge() {
        let isDue = writing.withLock { written in
            written.since == nil && written.count > max(10_000, table.withLock { $0.count } / 16)
        }
        if !isDue { return }
        // The change is recorded; a log that is too long is no reason to refuse it.
        try? rewrite(without: [], of: .unset, keepsDamage: true, { _ in }) { !$0.hasLosses && $0.count > 10_000 }
    }

    /// Removes these files of an owner, and the owner's name, from the index and its log.
    ///
    /// A file that has another owner by now, such as one that reuses an inode, stays.
    ///
    /// - Parameters:
    ///   - keys: The keys of the files.
    ///   - owner: The owner of the files.
    ///   - wrote: Called with the number of records written so far; may block.
    /// - Throws: ``RecordLogError``; nothing has changed.
    func forget(_ keys: Set<FileKey>, of owner: FileOwner, _ wrote: (Int) -> Void) throws(RecordLogError) {
        // Until a repair has reported what was lost, the log stays, and the wipe is notified that it is not complete.
        // A record that a tail was cut off is also for a repair.
        try rewrite(without: keys, of: owner, keepsDamage: true, wrote) { written in
            (!keys.isEmpty || written.isStale) && !written.hasLosses
        }
    }

    private func rewrite(
        without keys: Set<FileKey>,
        of owner: FileOwner,
        keepsDamage: Bool,
        _ wrote: (Int) -> Void,
        ifDue isDue: (Written) -> Bool
    ) throws(RecordLogError) {
        try rewriting.withLock { (_) throws(RecordLogError) in
            var isDone = false
            // Again if another process has rewritten the log meanwhile; then that process made progress.
            while !isDone {
                let known = try writing.withLock { (written) throws(RecordLogError) -> OwnerTable? in
                    try log.read { Self.take($0, &written, table, moves) }
                    guard isDue(written) else { return nil }
                    written.since = Written.Since()
                    return table.withLock { $0 }
                }
                guard let known else { return }
                do throws(RecordLogError) {
                    var draft = try log.draft()
                    let new = try write(known, without: keys, of: owner, to: &draft, wrote)
                    try draft.synchronize()
                    isDone = try finish(&draft, new, keepsDamage)
                } catch {
                    writing.withLock { $0.since = nil }
                    throw error
                }
            }
        }
    }

    /// Writes the files of a table in blocks.
    /// - Returns: What a reader of that will know.
    private func write(
        _ known: OwnerTable,
        without keys: Set<FileKey>,
        of owner: FileOwner,
        to draft: inout RecordLogDraft,
        _ wrote: (Int) -> Void
    ) throws(RecordLogError) -> OwnerTable {
        var new = OwnerTable()
        var (block, large, count) = (OwnerBlockWriter(), [] as [OwnerRecord], 0)
        for (key, entry) in known.entries where entry.owner != owner || !keys.contains(key) {
            if OwnerBlockWriter.takes(entry) {
                block.add(key, entry)
                if block.isFull { try end(&block, &new, &draft) }
            } else {
                large += entry.names.map { .put(key, entry.owner, $0, isUncertain: entry.isUncertain) }
            }
            count += 1
            wrote(count)
        }
        try end(&block, &new, &draft)
        for record in large {
            try draft.append { record.write(to: &$0) }
            new.apply(record)
        }
        return new
    }

    private func end(
        _ writer: inout OwnerBlockWriter,
        _ new: inout OwnerTable,
        _ draft: inout RecordLogDraft
    ) throws(RecordLogError) {
        guard let (block, bytes) = writer.take() else { return }
        try draft.append { $0.add(bytes) }
        new.apply(block)
    }

    /// Adds the later records, and replaces the old log by the new one.
    ///
    /// Returns `false` if that would undo another process's change to the log.
    private func finish(
        _ draft: inout RecordLogDraft,
        _ new: OwnerTable,
        _ keepsDamage: Bool
    ) throws(RecordLogError) -> Bool {
        try writing.withLock { (written) throws(RecordLogError) in
            try log.replace(by: &draft) {
                Self.take($0, &written, table, moves)
            } completing: { (draft) throws(RecordLogError) in
                guard let since = written.since else { return false }
                for record in since.records { try draft.append { record.write(to: &$0) } }
                return true
            } done: {
                let since = written.since ?? Written.Since()
                var new = new
                for record in since.records { new.apply(record) }
                table.withLock { $0 = new }
                written = Written(
                    count: since.records.count,
                    isStale: since.isStale,
                    damage: keepsDamage ? written.damage : []
                )
            }
        }
    }
}
