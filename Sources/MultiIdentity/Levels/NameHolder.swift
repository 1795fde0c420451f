/// An owner of identities' data, such as keys or files: a name with data cannot become an alias.
package protocol NameHolder: AnyObject, Sendable {
    /// Returns what it has of an identity, in words that complete "there are …"; `nil` if it has nothing.
    func holdings(of identity: Identity) throws -> String?
}

extension IdentityLevels {
    struct HolderReference: Sendable {
        weak var holder: (any NameHolder)?
    }

    /// Registers a holder for as long as it lives; it reports what an identity owns.
    package func add(_ holder: any NameHolder) {
        let references = holderReferences.withLock { references in
            let before = references
            references = references.filter { $0.holder != nil } + [HolderReference(holder: holder)]
            return before
        }
        withExtendedLifetime(references) {}
    }

    /// The living holders that were made on these levels.
    package var holders: [any NameHolder] {
        holderReferences.withLock { references in
            references.compactMap { reference in
                let holder = reference.holder
                return holder
            }
        }
    }
}
