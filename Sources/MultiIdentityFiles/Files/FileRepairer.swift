internal import MultiIdentity

/// Checks every file for a repair, and fixes what it finds.
final class FileRepairer {
    let system: IdentityFileSystem
    var report = FileRepair()
    /// The names that files of the index were found by.
    var names: [FileKey: Set<RootedPath>] = [:]
    var indexFailure: IdentityFileError?

    init(_ system: IdentityFileSystem) { self.system = system }

    var sortedReport: FileRepair {
        var sorted = report
        for list in [
            \FileRepair.unseen, \.uncertain, \.replaced, \.adopted, \.renamed, \.forgotten, \.movedToAttributes,
            \.swept,
        ] { sorted[keyPath: list].sort() }
        return sorted
    }

    private func look(
        at name: UnsafePointer<CChar>,
        in folder: borrowing OpenFile,
        _ path: FolderPath
    ) throws(IdentityFileError) {
        let text = path.text(of: name)
        if AtomicReplacement.isTemporary(String(cString: name)) {
            let isSwept = try IdentityFileError.from(text) { () throws(SystemCallError) in
                try AtomicReplacement.sweep(String(cString: name), in: folder)
            }
            if isSwept { report.swept.append(text) }
            return
        }
        report.fileCount += 1
        if let index = system.store.index {
            let status = try IdentityFileError.from(text) { () throws(SystemCallError) in try folder.status(of: name) }
            let key = system.store.key(status)
            if let entry = try index.entry(key, at: path.rooted(name)) {
                return try mend(name, in: folder, path, key, entry)
            }
            if !system.store.keeping.hasAttributes {
                report.unseen.append(text)
                return
            }
        }
        if try system.store.attribute(of: name, in: folder, path) == nil { report.unseen.append(text) }
    }

    /// A file that the index knows.
    private func mend(
        _ name: UnsafePointer<CChar>,
        in folder: borrowing OpenFile,
        _ path: FolderPath,
        _ key: FileKey,
        _ entry: OwnerTable.Entry
    ) throws(IdentityFileError) {
        let rooted = path.rooted(name)
        names[key, default: []].insert(rooted)
        if entry.isUncertain { report.uncertain.append(rooted.text) }
        if entry.isUncertain, system.store.keeping.hasAttributes { return }
        if system.store.keeping.hasAttributes {
            let file = try IdentityFileError.from(rooted.text) { () throws(SystemCallError) in
                try folder.open(name, .reading)
            }
            if try system.moveToAttribute(file, rooted, key) { report.movedToAttributes.append(rooted.text) }
            return
        }
        // A name that is not UTF-8 is not recorded, because a string would be another name.
        guard String(validatingCString: name) != nil, let index = system.store.index,
            try index.entry(key)?.names.contains(rooted) == false
        else { return }
        let isThere = try system.withNames(rooted.text) { (_) throws(IdentityFileError) -> Bool in
            // A wipe may have removed it, so it must not be recorded again.
            guard let status = try? folder.status(of: name), system.store.key(status) == key else { return false }
            try system.store.record(.put(key, entry.owner, rooted, isUncertain: entry.isUncertain), rooted)
            return true
        }
        if isThere { report.renamed.append(rooted.text) }
    }
}

extension FileRepairer: TreeWalk.Visitor {
    func file(_ name: UnsafePointer<CChar>, in folder: borrowing OpenFile, _ path: FolderPath) {
        do { try look(at: name, in: folder, path) } catch {
            if error.code != .notFound { failed(path.text(of: name), error) }
        }
    }

    func left(_ folder: borrowing OpenFile, _ path: FolderPath) {}
    func failed(_ path: String, _ error: IdentityFileError) { report.failures.append(error) }
    func passed() {}
}
