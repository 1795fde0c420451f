public import MultiIdentity

extension IdentityFileSystem: WipedStorage {
    /// The root's path, without symbolic links.
    public var storageName: String { directory.path }

    /// Reports each file of an identity, and changes nothing.
    ///
    /// - Complexity: The same as ``removeFiles(of:_:)``.
    public func files(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
        let search = try OwnedFileSearch(self, identity, .telling, visit)
        search.goThroughRecorded()
        if search.needsWalk { search.walk() }
        search.finishLinkedNames()
        if let index = store.index { search.notifyOfLosses(in: index) }
        if let failure = search.rootFailure { throw failure }
    }

    /// Removes every file of an identity, with all its names and its records.
    ///
    /// Temporary files that a crash left are included. A file that also has a name outside the root is emptied, and belongs
    /// to nobody there. Files of others are neither opened nor waited for.
    ///
    /// - Complexity: With an index, O(*n*) in the identity's files if each still has its recorded name. Otherwise, and
    ///   with attributes, one walk through everything below the root.
    public func removeFiles(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
        let watch = namespace.withLock { $0.beginWatch() }
        defer { namespace.withLock { $0.endWatch(watch) } }
        let foreign = store.index?.moves.withLock { $0.beginWatch(for: .identity(identity)) }
        defer { if let foreign { store.index?.moves.withLock { $0.endWatch(foreign) } } }
        let search = try OwnedFileSearch(self, identity, .removing, visit)
        search.goThroughRecorded()
        if search.needsWalk { search.walk() }
        try search.follow(watch, foreign)
        if let index = store.index { search.forget(in: index) }
        if let failure = search.rootFailure { throw failure }
    }
}
