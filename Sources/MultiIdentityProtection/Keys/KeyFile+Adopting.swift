package import MultiIdentity

extension KeyFile {
    /// Has the keys of each name be an account's, which has that as another name: an earlier release kept them under the name.
    ///
    /// They come before the account's own in order, so that new data are protected as before. Keys that an earlier release listed
    /// under the account, and that are wrapped for the name, can be used again.
    package func adopt(_ accounts: [Identity: Identity]) throws(IdentityKeyError) {
        let names = Dictionary(grouping: accounts.keys) { accounts[$0] ?? $0 }
        try change { (latest) throws(IdentityKeyError) in
            var (adopted, others): ([KeyFileEntry], [KeyFileEntry]) = ([], [])
            var isAny = false
            for entry in latest.contents.entries {
                let (name, former) = (entry.owner, names[entry.owner] ?? [])
                let own = accounts[name] == nil && former.isEmpty ? nil : try entry.unwrapped(with: latest.master)
                if let account = accounts[name] {
                    guard let own else {
                        throw .damaged(path, "the key \(entry.id) is not the one that was wrapped for \(name)")
                    }
                    adopted.append(try latest.wrapped(own, for: account))
                    isAny = true
                } else if own == nil, let key = try entry.unwrapped(with: latest.master, as: former) {
                    others.append(try latest.wrapped(key, for: name))
                    isAny = true
                } else {
                    others.append(entry)
                }
            }
            return isAny ? latest.contents.replaced(by: adopted + others) : nil
        }
    }
}

extension KeyFileEntry {
    /// The key, where it was wrapped for one of the names: as it is given, or as stores have it.
    fileprivate func unwrapped(with master: MasterKey, as names: [Identity]) throws(IdentityKeyError) -> IdentityKey? {
        for owner in names + names.map({ Identity(caselessName: $0.caselessName) }) {
            let entry = KeyFileEntry(id: id, owner: owner, salt: salt, wrapped: wrapped)
            if let key = try entry.unwrapped(with: master) { return key }
        }
        return nil
    }
}
