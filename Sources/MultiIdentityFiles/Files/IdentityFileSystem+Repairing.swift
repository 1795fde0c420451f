internal import MultiIdentity

extension IdentityFileSystem {
    /// Brings what is recorded and what is there together, and removes what interrupted operations left.
    ///
    /// An index learns the names of files that were renamed behind its back, and forgets files that are gone. Where
    /// ``OwnerRecords/automatic(indexIn:)`` found an index and extended attributes both, the owners go to the attributes, and
    /// the index is gone. Operations go on meanwhile; those of other processes that move files should not.
    ///
    /// Nothing is forgotten where something could not be looked at.
    ///
    /// - Parameter adoptsReplaced: Whether files that have the names of recorded ones, and are others, are given the recorded owner:
    ///   after a backup was brought back, where every path is to be trusted. Else they are reported, and stay nobody's.
    /// - Returns: What was found.
    /// - Throws: ``IdentityFileError`` where the index cannot be written; what was repaired by then is.
    /// - Complexity: One walk through all below the root.
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
