package import MultiIdentity

extension IdentityFileSystem: NameHolder {
    package func holdings(of identity: Identity) throws -> String? {
        let owner = FileOwner.identity(identity)
        var count = try store.index?.entries.of(owner).count ?? 0
        if count == 0, store.keeping.hasAttributes {
            let found = files(of: owner)
            if let failure = found.failures.first { throw failure }
            count = found.paths.count
        }
        return count == 0 ? nil : "files of its own (\(count) in \(root))"
    }
}
