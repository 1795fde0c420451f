/// A keeper of what identities own, such as keys or files: a name that has some is no other name of an account.
package protocol NameHolder: AnyObject, Sendable {
    /// What it has of an identity, in words that end "there are …"; `nil` where that is nothing.
    func holdings(of identity: Identity) throws -> String?
}

extension IdentityLevels {
    struct HolderReference: Sendable {
        weak var holder: (any NameHolder)?
    }

    /// Has a keeper be asked for what an identity owns, for as long as it lives.
    package func add(_ holder: any NameHolder) {
        let references = holderReferences.withLock { references in
            let before = references
            references = references.filter { $0.holder != nil } + [HolderReference(holder: holder)]
            return before
        }
        withExtendedLifetime(references) {}
    }

    /// The keepers that were made on these levels and are alive.
    package var holders: [any NameHolder] {
        holderReferences.withLock { references in
            references.compactMap { reference in
                let holder = reference.holder
                return holder
            }
        }
    }
}
