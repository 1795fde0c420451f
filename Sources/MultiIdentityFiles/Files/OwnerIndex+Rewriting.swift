internal import MultiIdentity

/// The log is written anew beside itself, and nobody waits but for the moment in which it takes its place: with a million
/// records that takes seconds.
extension OwnerIndex {
    /// Writes the log anew where it holds what is no longer so.
    ///
    /// - Parameter areLossesTold: Whether that records were lost need not be known any more; else such a log stays.
    /// - Throws: ``RecordLogError``; the log is as before.
    func compact(areLossesTold: Bool = false) throws(RecordLogError) {
        try rewrite(without: [], of: .unset, keepsDamage: false, { _ in }) { written in
            (written.isStale || written.hasLosses) && (areLossesTold || !written.hasLosses)
        }
    }

    /// Compacts a log of which most is no longer so.
    func compactIfLarge() {
        let isDue = writing.withLock { written in
            written.since == nil && written.count > 10_000 && log.size > 1 << 20
                && written.count > 4 * table.withLock { $0.liveCount }
        }
        // The change is recorded; that the log is longer than it need be is no reason to refuse it.
        if isDue { try? compact() }
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
                    var count = 0
                    for (key, entry) in known.entries where entry.owner != owner || !keys.contains(key) {
                        for record in OwnerTable.records(key, entry) { try draft.append { record.write(to: &$0) } }
                        count += 1
                        wrote(count)
                    }
                    try draft.synchronize()
                    let gone = keys.filter { known.entries[$0]?.owner == owner }
                    isDone = try finish(&draft, gone, count, keepsDamage)
                } catch {
                    writing.withLock { $0.since = nil }
                    throw error
                }
            }
        }
    }

    /// Adds what was recorded since, and puts the new log in the old one's place.
    ///
    /// Returns `false` where that would undo what another process did to the log.
    private func finish(
        _ draft: inout RecordLogDraft,
        _ gone: Set<FileKey>,
        _ count: Int,
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
                table.withLock { table in
                    for key in gone { table.apply(.forget(key)) }
                    // What has such a key by now is known by what was recorded since alone.
                    for record in since.records where record.key.map(gone.contains) == true { table.apply(record) }
                }
                written = Written(
                    count: count + since.records.count,
                    isStale: since.isStale,
                    damage: keepsDamage ? written.damage : []
                )
            }
        }
    }
}
