public import MultiIdentity

extension IdentityFileSystem: WipedStorage {
    /// The root's path, without symbolic links.
    public var storageName: String { directory.path }

    /// Tells of each file that an identity owns, and touches none.
    ///
    /// - Complexity: As ``removeFiles(of:_:)``.
    public func files(of identity: Identity, _ visit: WipeVisit) throws(WipeFailure) {
        let hunt = try OwnedFileSearch(self, identity, .telling, visit)
        hunt.goThroughRecorded()
        if hunt.needsWalk { hunt.walk() }
        hunt.removeLinked()
        if let index = store.index { hunt.tellOfLosses(in: index) }
        if let failure = hunt.rootFailure { throw failure }
    }

    /// Removes every file that an identity owns, by all its names, and what is recorded of it.
    ///
    /// Temporary files that a crash left are among them. A file that has a name outside of the root as well is emptied, and
    /// belongs to nobody there. Others' files are neither opened nor waited for.
    ///
    /// - Complexity: With an index O(*n*) in the identity's files, as long as each is where it was last known to be, else, and
    ///   with attributes, one walk through all below the root.
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
