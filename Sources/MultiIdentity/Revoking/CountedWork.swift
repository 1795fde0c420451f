/// A piece of work that counts as its owner's until it ends, whichever task or thread it runs on.
///
/// For the few steps that may have no scope to count, such as the commit of a transaction.
package struct CountedWork: ~Copyable, Sendable {
    private let owner: WorkOwner

    fileprivate init(of owner: WorkOwner) {
        self.owner = owner
        owner.forEachRecord { _ = $0.workBegins() }
    }

    /// Ends the work; so does releasing it.
    package consuming func end() {}

    deinit { owner.forEachRecord { $0.workEnds() } }
}

extension WorkOwner {
    /// Begins work that is counted for this owner.
    ///
    /// It is counted before it is admitted, in the word that a revocation changes: either the revocation comes first and the
    /// work is refused, or it comes later and a drain waits for the work.
    ///
    /// - Returns: The work, which ends when it is released.
    /// - Throws: ``IdentityError`` with `.revoked` if the owner's life is over.
    package func beginCounted() throws(IdentityError) -> CountedWork {
        let work = CountedWork(of: self)
        try admit()
        return work
    }

    fileprivate func forEachRecord(_ body: (IdentityRecord) -> Void) {
        if identity.isNobody { return }
        body(identity.spelling.record)
        for actor in identity.actor?.identities ?? [] { body(actor.spelling.record) }
    }
}
