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
        // The change is recorded; that the log is longer than it need be is no reason to refuse it.
        try? rewrite(without: [], of: .unset, keepsDamage: true, { _ in }) { !$0.hasLosses && $0.count > 10_000 }
    }

    /// Has neither the index nor its log know of these files of an owner any more: not of the owner's name, either.
    ///
    /// A file that has got another owner since, as one that has the inode of one that is gone, stays known.
    ///
    /// - Parameters:
    ///   - keys: The keys of the files.
    ///   - owner: The owner of the files.
    ///   - wrote: Called with how many records were written so far; may wait.
    /// - Throws: ``RecordLogError``; all is as before.
    func forget(_ keys: Set<FileKey>, of owner: FileOwner, _ wrote: (Int) -> Void) throws(RecordLogError) {
        // Until a repair has reported what was lost, the log stays, and the wipe is notified that it is not complete.
        // What tells that a tail was cut off is for a repair, too.
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
            // Once more where another process has written the log anew meanwhile: that one got on, then.
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

    /// Adds what was recorded since, and puts the new log in the old one's place.
    ///
    /// Returns `false` where that would undo what another process did to the log.
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
