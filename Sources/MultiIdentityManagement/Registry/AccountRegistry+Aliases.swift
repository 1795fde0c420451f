public import MultiIdentity

extension AccountRegistry {
    /// Makes a name stand for a registered account in each process that shares the store.
    ///
    /// An identity that is made of the name from then on is the account's, as of a claim, a policy or the owner of a file.
    ///
    /// To be called before work is done under the name: an identity that was made of it before stays one of its own, which is
    /// revoked and wiped with the account. The name of an account that is being wiped stands for it until that is done.
    ///
    /// - Parameters:
    ///   - alias: The other name.
    ///   - identity: The account.
    /// - Throws: ``AccountRegistryError`` where the account is not registered, or the name is another one's.
    public func addAlias(_ alias: Identity, of identity: Identity) throws(AccountRegistryError) {
        try check(alias)
        let problem = try inStore { (transaction) throws(AccountStoreError) -> AccountRegistryError? in
            let account = try Self.resolved(identity, transaction)
            guard let record = try transaction.account(account), record.stage != .wiping else {
                return Self.notRegistered(identity)
            }
            if alias == account { return nil }
            // An identity of a name that stands for somebody else here is theirs, and so would be the name that is kept.
            if alias.hasAliases { return Self.taken(alias, by: "an account with aliases", for: account) }
            let other = try transaction.account(ofAlias: alias)
            if try transaction.account(alias) != nil || (other ?? account) != account {
                return Self.taken(alias, by: other.map { "one of \($0)" } ?? "an account", for: account)
            }
            if other == account { return nil }
            try transaction.setAlias(alias, of: account)
            try note(account, .aliasAdded, "\(alias) stands for it", in: transaction)
            return nil
        }
        if let problem { throw problem }
        tellEvents()
        // Another thread that tells of events just then has this one still to tell. It is in the store already: no error is left.
        if let account = try? resolve(identity) { adoptAliases(of: account) }
    }

    private static func taken(_ alias: Identity, by what: String, for account: Identity) -> AccountRegistryError {
        AccountRegistryError(
            .aliasTaken,
            "\(alias) cannot be an alias of \(account), since it is \(what). Deregister that first."
        )
    }

    /// The account that a name stands for: the name itself where it is no alias.
    ///
    /// - Parameter name: The name.
    /// - Returns: The account.
    /// - Throws: ``AccountRegistryError`` where the store fails.
    public func resolve(_ name: Identity) throws(AccountRegistryError) -> Identity {
        try fromStore { (transaction) throws(AccountStoreError) in try Self.resolved(name, transaction) }
    }

    /// Has all aliases of the store stand for their accounts in this process.
    func adoptAliases() throws(AccountRegistryError) {
        let all = try fromStore { (transaction) throws(AccountStoreError) in try transaction.aliases(of: nil) }
        for (account, names) in Dictionary(grouping: all, by: \.account) {
            aliases.set(names.map(\.alias), of: account)
        }
    }

    /// Has the aliases of an account be those of the store after an event that can have changed them.
    func adoptAliases(after event: AccountEvent) {
        let changing: Set<AccountEventStatus> = [.aliasAdded, .deregistered, .removed, .wiped]
        guard changing.contains(event.status), event.status == .aliasAdded || aliases.has(event.identity) else {
            return
        }
        adoptAliases(of: event.identity)
    }

    /// Has the aliases of an account be those of the store.
    ///
    /// Of one that is revoked here they stay, since it is revoked under them as well. So they do where the store fails: a new
    /// one makes another identity until the next start, never another's.
    func adoptAliases(of account: Identity) {
        if IdentityRevocation.isRevoked(account) { return }
        do throws(AccountRegistryError) {
            // Again, if they changed meanwhile: of two threads the one that looked first may set them last.
            var (known, now) = ([String]?.none, try aliasesInStore(of: account))
            while known != now {
                aliases.set(now, of: account)
                (known, now) = (now, try aliasesInStore(of: account))
            }
        } catch {}
    }

    private func aliasesInStore(of account: Identity) throws(AccountRegistryError) -> [String] {
        try fromStore { (transaction) throws(AccountStoreError) in try transaction.aliases(of: account).map(\.alias) }
    }

    /// Takes back the aliases that an account had as long as it was revoked.
    func readmitted(_ account: Identity) { if aliases.has(account) { adoptAliases(of: account) } }

    /// Signs an account out, and what was made of its aliases before they stood for it.
    func revoke(_ account: Identity) {
        for identity in account.underEachName { IdentityRevocation.revoke(identity, for: .signedOut) }
    }
}
