internal import MultiIdentity

extension FileRepairer {
    /// Makes the index contain the files that the walk found, and no others.
    func bring(
        _ before: OwnerEntries,
        to index: OwnerIndex,
        adoptsReplaced: Bool
    ) throws(IdentityFileError) {
        for (key, entry) in before {
            guard try index.entry(key) != nil else { continue }
            if names[key] == nil, let path = replacedName(of: entry) {
                report.replaced.append(path.text)
                if adoptsReplaced, !entry.isUncertain { try adopt(path, entry.owner, key) }
            } else {
                try settle(key, index)
            }
        }
    }

    /// Removes outdated entries from the index, after checking again under the lock of names, since files may have moved.
    private func settle(_ key: FileKey, _ index: OwnerIndex) throws(IdentityFileError) {
        try system.withNames("") { (_) throws(IdentityFileError) in
            guard let entry = try index.entry(key) else { return }
            let stale = entry.names.filter { names[key]?.contains($0) != true && !isThere($0, key) }
            if names[key] == nil, stale.count == entry.names.count {
                // An entry that could not be checked may be this file.
                if !report.failures.isEmpty { return }
                try system.store.record(.forget(key), RootedPath(known: ""))
                report.forgotten += entry.names.map(\.text)
            } else {
                for name in stale { try system.store.record(.unname(key, name), name) }
            }
        }
    }

    private func isThere(_ path: RootedPath, _ key: FileKey) -> Bool {
        guard let place = try? system.place(path.text), let status = try? place.status() else { return false }
        return system.store.key(status) == key
    }

    /// The recorded name that now belongs to a file without a record.
    private func replacedName(of entry: OwnerTable.Entry) -> RootedPath? {
        entry.names.first { path in
            guard let place = try? system.place(path.text), let status = try? place.status(), status.isFile else {
                return false
            }
            return (try? system.owner(of: place.name, in: place.folder, FolderPath(folderOf: path))) == .some(nil)
        }
    }

    private func adopt(_ path: RootedPath, _ owner: FileOwner, _ key: FileKey) throws(IdentityFileError) {
        do {
            try system.adopt(path, owner)
        } catch  where error.code == .notFound || error.code == .notAFile || error.code == .revoked {
            report.failures.append(error)
            return
        }
        report.adopted.append(path.text)
        report.unseen.removeAll { $0.utf8.elementsEqual(path.text.utf8) }
        try system.store.record(.forget(key), path)
    }
}

extension IdentityFileSystem {
    /// Gives a file without a record to an owner.
    fileprivate func adopt(_ path: RootedPath, _ owner: FileOwner) throws(IdentityFileError) {
        try setOwner(owner, of: try place(path.text).openFile(.reading), path)
    }

    /// Moves a file's owner from the index to its attribute.
    ///
    /// Returns whether it was moved; `false` if the owner changed meanwhile.
    func moveToAttribute(
        _ file: borrowing OpenFile,
        _ path: RootedPath,
        _ key: FileKey
    ) throws(IdentityFileError) -> Bool {
        try withNames(path.text) { (_) throws(IdentityFileError) -> Bool in
            let status = try IdentityFileError.from(path.text) { () throws(SystemCallError) in try file.status() }
            guard store.key(status) == key, let owner = try store.index?.owner(key, at: path) else { return false }
            try store.put(owner, on: file, path)
            return true
        }
    }
}
