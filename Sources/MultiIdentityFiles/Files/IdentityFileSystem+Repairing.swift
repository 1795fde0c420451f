internal import MultiIdentity

extension IdentityFileSystem {
    /// Brings what is recorded and what is there together, and removes what interrupted operations left.
    ///
    /// An index learns the names of files that were renamed behind its back, and forgets files that are gone. Where
    /// ``OwnerRecords/automatic(indexIn:)`` found an index and extended attributes both, the owners go to the attributes, and
    /// the index is gone. Operations go on meanwhile; those of other processes that move files should not.
    ///
    /// - Parameter replaced: What becomes of files that have the names of recorded ones, and are others.
    /// - Returns: What was found and mended.
    /// - Throws: ``IdentityFileError`` where the index cannot be written; what was mended by then is.
    /// - Complexity: One walk through all below the root.
    public func repair(replaced: ReplacedFiles = .reported) throws(IdentityFileError) -> FileRepair {
        let before = try store.index?.entries ?? OwnerEntries()
        let repairer = FileRepairer(self)
        TreeWalk.walk(directory, FolderPath(), repairer)
        if let failure = repairer.indexFailure { throw failure }
        if let index = store.index {
            repairer.report.damagedIndexParts = index.damage.map { $0.offset..<($0.offset + $0.length) }
            try repairer.bring(before, to: index, replaced)
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
