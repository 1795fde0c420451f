public import MultiIdentity

extension IdentityFileSystem: WipedStorage {
    /// The root's path, without symbolic links.
    public var storageName: String { directory.path }

    /// Reports each file of an identity, and changes none.
    ///
    /// - Complexity: As ``removeFiles(of:_:)``.
    public func files(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
        let hunt = try OwnedFileSearch(self, identity, .telling, visit)
        hunt.goThroughRecorded()
        if hunt.needsWalk { hunt.walk() }
        hunt.removeLinked()
        if let index = store.index { hunt.notifyOfLosses(in: index) }
        if let failure = hunt.rootFailure { throw failure }
    }

    /// Removes every file of an identity, with all its names and its records.
    ///
    /// Temporary files that a crash left are included. A file with a name outside the root as well is emptied, and
    /// belongs to nobody there. Files of others are neither opened nor waited for.
    ///
    /// - Complexity: With an index, O(*n*) in the identity's files, if each is where it was last known to be.
    ///   Otherwise, and with attributes, one walk through everything below the root.
    public func removeFiles(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
        let watch = namespace.withLock { $0.beginWatch() }
        defer { namespace.withLock { $0.endWatch(watch) } }
        let foreign = store.index?.moves.withLock { $0.beginWatch(for: .identity(identity)) }
        defer { if let foreign { store.index?.moves.withLock { $0.endWatch(foreign) } } }
        let hunt = try OwnedFileSearch(self, identity, .removing, visit)
        hunt.goThroughRecorded()
        if hunt.needsWalk { hunt.walk() }
        try hunt.follow(watch, foreign)
        if let index = store.index { hunt.forget(in: index) }
        if let failure = hunt.rootFailure { throw failure }
    }
}
