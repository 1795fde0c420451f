public import MultiIdentity

extension KeyFile {
    /// Has the keys of a name be an account's, which has that as another name now (`AccountRegistry.addAlias` of MultiIdentityManagement).
    ///
    /// For keys that were made before the two were known to be the same. They come before the account's own in order, so that new data
    /// are protected as before. Data that name the former owner are the account's from then on, as long as the name is another one
    /// of it. Keys that an earlier version listed under the account, and that are wrapped for the name, can be used again.
    ///
    /// - Parameters:
    ///   - name: The owner of the keys so far, as it was spelled then.
    ///   - account: The account.
    /// - Throws: ``IdentityKeyError``; with `.revoked` where the account is not admitted. No key was changed then.
    public func adoptKeys(of name: Identity, by account: Identity) throws(IdentityKeyError) {
        if name == account { return }
        try Self.admit(account)
        try change { (latest) throws(IdentityKeyError) in
            var (adopted, others): ([KeyFileEntry], [KeyFileEntry]) = ([], [])
            var isAny = false
            for entry in latest.contents.entries {
                let isIts = entry.owner == name
                var isMisnamed = false
                if entry.owner == account { isMisnamed = try entry.unwrapped(with: latest.master) == nil }
                var wrapped = entry
                if isIts || isMisnamed, let key = try entry.unwrapped(with: latest.master, as: name) {
                    wrapped = try latest.wrapped(key, for: account)
                    isAny = true
                } else if isIts {
                    throw .damaged(path, "the key \(entry.id) is not the one that was wrapped for \(name)")
                }
                if isIts { adopted.append(wrapped) } else { others.append(wrapped) }
            }
            return isAny ? latest.contents.replaced(by: adopted + others) : nil
        }
    }
}

extension KeyFileEntry {
    /// The key, where it was wrapped for a name: as the entry has it, as it is given, or as stores have it.
    fileprivate func unwrapped(with master: MasterKey, as name: Identity) throws(IdentityKeyError) -> IdentityKey? {
        for owner in [owner, name, Identity(caselessName: name.caselessName)] {
            let entry = KeyFileEntry(id: id, owner: owner, salt: salt, wrapped: wrapped)
            if let key = try entry.unwrapped(with: master) { return key }
        }
        return nil
    }
}
