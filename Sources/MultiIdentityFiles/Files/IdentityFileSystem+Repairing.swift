internal import MultiIdentity

extension IdentityFileSystem {
    /// Reconciles the records with the files, and removes leftovers of interrupted operations.
    ///
    /// An index learns the names of files that were renamed without this API, and drops files that no longer exist. If
    /// ``OwnerRecords/automatic(indexIn:)`` found both an index and extended attributes, the owners move to the
    /// attributes, and the index is removed. Other operations continue meanwhile; other processes should not move
    /// files.
    ///
    /// No record is dropped if something could not be checked.
    ///
    /// - Parameter adoptsReplaced: Whether files that have replaced recorded ones get the recorded owner. Pass `true`
    ///   after you restore a backup, if you trust every path. Otherwise they are reported, and belong to no one.
    /// - Returns: The findings.
    /// - Throws: ``IdentityFileError`` if the index cannot be written; earlier repairs stay.
    /// - Complexity: One walk through everything below the root.
    public func repair(adoptsReplaced: Bool = false) throws(IdentityFileError) -> FileRepair {
        let before = try store.index?.entries ?? OwnerEntries()
        let repairer = FileRepairer(self)
        TreeWalk.walk(directory, FolderPath(), repairer)
        if let failure = repairer.indexFailure { throw failure }
        if let index = store.index {
            let damage = index.damage.filter { !$0.isTail }
            try repairer.bring(before, to: index, adoptsReplaced: adoptsReplaced)
            repairer.report.failures += damage.map { IdentityFileError(damagedIndex: $0) }
            try finish(index)
        }
        return repairer.sortedReport
    }

    private func finish(_ index: OwnerIndex) throws(IdentityFileError) {
        do {
            if case .moving = store.keeping, try index.removeLogIfEmpty() {
                store.endMoving()
            } else {
                try index.compact(areLossesTold: true)
                try index.sweep()
            }
        } catch { throw IdentityFileError(error, "") }
    }
}
