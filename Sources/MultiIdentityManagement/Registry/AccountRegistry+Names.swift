public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Returns the account that a name is an alias of, as this process knows it; otherwise the name itself.
    ///
    /// Call it for a name from outside, such as in a verified claim, before you bind it: an identity under an alias is
    /// refused. The result keeps how the name was verified; acting identities are resolved too.
    ///
    /// ```swift
    /// let user = try registry.identity(named: "oid-17")  // ada@contoso.com
    /// ```
    ///
    /// - Parameter name: The name.
    /// - Returns: The account.
    /// - Complexity: O(1); one atomic load for an account's own name.
    public func identity(named name: Identity) -> Identity { names.resolved(name) }

    /// Returns the account of a name given as text, such as from a session, a header or a row.
    ///
    /// Otherwise it works like ``identity(named:)-(Identity)``.
    ///
    /// - Parameter name: The name.
    /// - Returns: The account.
    /// - Throws: `IdentityError` with the rule that the name breaks.
    public func identity(named name: String) throws(IdentityError) -> Identity { identity(named: try Identity(name)) }

    /// Returns the account that a name is an alias of, as the store has it; otherwise the name itself.
    ///
    /// - Parameter name: The name.
    /// - Returns: The account.
    /// - Throws: ``ManagementError`` if the store fails.
    package func resolve(_ name: Identity) throws(ManagementError) -> Identity {
        try reading { transaction in try Self.resolved(name, transaction) }
    }

    /// Adds an alias to a registered account, in each process that shares the store.
    ///
    /// From then on, the registry's calls treat the alias as the account, and ``identity(named:)-(Identity)`` resolves
    /// it. An identity with the alias as its name is refused, whenever it was made, and work captured under it runs
    /// under nobody. Other processes are notified; wait for them with ``waitUntilSettled(timeout:)`` before you hand out the
    /// alias.
    ///
    /// - Parameters:
    ///   - alias: The alias.
    ///   - identity: The account.
    /// - Throws: ``ManagementError`` if the account is not registered, or if the name is an alias of another account,
    ///   is managed or being wiped itself, or has its own keys or files in a `KeyFile` or `IdentityFileSystem` of this
    ///   process, or its own data by the registry's `holdings`.
    /// - Complexity: One walk through each root that keeps owners in attributes; two if nothing is found.
    public func addAlias(_ alias: Identity, of identity: Identity) throws(ManagementError) {
        try check(alias)
        let (account, isKnown) = try reading { transaction in try Self.naming(alias, of: identity, transaction) }
        if isKnown {
            adoptNames(of: account)
        } else {
            try add(alias, to: account)
            notifyEvents()
        }
    }

    private func add(_ alias: Identity, to account: Identity) throws(ManagementError) {
        try checkIsFree(alias, for: account)
        try checkHasNothing(alias, for: account)
        // Again: any process may have registered it meanwhile.
        _ = try reading { transaction in try Self.naming(alias, of: account, transaction) }
        try checkIsFree(alias, for: account)
        // From here on nothing can be created under the name itself, whatever the store contains.
        state.adds(alias, to: account)
        names.add(alias, to: account)
        do throws(ManagementError) {
            // Something may have happened in between: an account that was just registered has priority.
            if accounts.has(alias) { throw Self.isManaged(alias, for: account) }
            try checkHasNothing(alias, for: account)
            let number = try changing { transaction -> Int64 in
                if try Self.naming(alias, of: account, transaction).isKnown { return 0 }
                try transaction.setAlias(alias, of: account)
                return try note(account, .aliasAdded, "\(alias) is an alias of it", in: transaction)
            }
            state.removals.wrote(number)
            // A concurrent registration of the name may have freed it; it is refused.
            names.add(alias, to: account)
            state.adds(alias, to: nil)
        } catch {
            // First, so that another thread that still adopts the alias notices it (``adoptNames(of:)``).
            state.adds(alias, to: nil)
            names.free(alias)
            throw error
        }
    }

    /// Refuses a name that this process knows as an account.
    private func checkIsFree(_ alias: Identity, for account: Identity) throws(ManagementError) {
        if names.account(named: alias) != nil { return }
        if IdentityRevocation.isRevoked(alias), !IdentityRevocation.hasDeparted(alias) {
            throw Self.taken(alias, for: account, "it is being wiped. Add it after the wipe.")
        }
        if accounts.isKnown(alias) { throw Self.isManaged(alias, for: account) }
    }

    private static func isManaged(_ alias: Identity, for account: Identity) -> ManagementError {
        let why = "it is itself managed: the policies in force name it, or it is enrolled"
        return taken(alias, for: account, "\(why). Name \(account) there, and then add it.")
    }

    /// Refuses a name that has its own data, which the account could not reach.
    private func checkHasNothing(_ alias: Identity, for account: Identity) throws(ManagementError) {
        var found: String?
        do {
            for holder in accounts.levels.holders where found == nil { found = try holder.holdings(of: alias) }
            if found == nil { found = try holdings?(alias) }
        } catch {
            throw Self.taken(alias, for: account, "whether it has its own data is not known: \(Self.words(error))")
        }
        guard let found else { return }
        throw Self.taken(
            alias,
            for: account,
            "it has \(found). Read them as \(alias) and protect them as \(account), wipe \(alias), and then add it."
        )
    }

    /// Returns the account that a name is to be an alias of, and whether it already is.
    private static func naming(
        _ alias: Identity,
        of identity: Identity,
        _ transaction: any AccountTransaction
    ) throws -> (account: Identity, isKnown: Bool) {
        let account = try resolved(identity, transaction)
        guard try transaction.account(account)?.isRegistered == true else { throw notRegistered(identity) }
        let other = try transaction.account(ofAlias: alias)
        if alias == account || other == account { return (account, true) }
        if let other { throw taken(alias, for: account, "it is an alias of \(other). Deregister that account first.") }
        if try transaction.account(alias) != nil {
            throw taken(alias, for: account, "it is an account. Deregister it first.")
        }
        if try !transaction.aliases(of: alias).isEmpty {
            throw taken(alias, for: account, "it is an account with aliases. Deregister it first.")
        }
        return (account, false)
    }

    private static func taken(_ alias: Identity, for account: Identity, _ why: String) -> ManagementError {
        ManagementError(.aliasTaken, "\(alias) cannot be an alias of \(account), since \(why)")
    }

    /// Puts all aliases of the store into force in this process, without notification, since they are not new.
    func adoptNames() throws(ManagementError) {
        let all = try reading { transaction in try transaction.aliases(of: nil) }
        for (account, names) in Dictionary(grouping: all, by: \.account) {
            self.names.set(names.map(\.alias), of: account, announcing: false)
        }
    }

    static func words(_ error: any Error) -> String {
        (error as? any CodedError)?.message ?? "an error of type \(type(of: error))"
    }

    /// Updates the aliases of an account from the store after an event that may have changed them.
    func adoptNames(after event: AccountEvent) {
        let hasLeft = event.status.revokes || [.deregistered, .wiped].contains(event.status)
        // A name that is an alias here is now its own account, or no longer an alias.
        let isOther = names.account(named: event.identity) != nil
        if isOther || hasLeft && !names.names(of: event.identity).isEmpty { adoptNames(of: event.identity) }
    }

    /// Updates the aliases of an account to those of the store, and frees its own name.
    ///
    /// If the account is gone from the store and is or will be revoked here, its aliases stay, so that work under one
    /// is not mistaken for that of an unknown identity. If the store fails, they stay until the timers check again.
    ///
    /// - Returns: Whether the store could be read.
    @discardableResult
    func adoptNames(of account: Identity) -> Bool {
        do {
            // Repeated if they changed meanwhile: of two threads, the one that read first may write last.
            var (now, before) = (try namesInForce(of: account), StoredNames?.none)
            while before != now {
                if now.stored != nil { names.free(account) }
                // In this order: a removal is in progress from before the store drops the account until it is revoked.
                let isGone = state.removals.isRemoving(account) || IdentityRevocation.isRevoked(account)
                if now.stored != nil || !isGone {
                    names.set((now.stored ?? []) + now.added, of: account)
                }
                (now, before) = (try namesInForce(of: account), now)
            }
            return true
        } catch {
            state.isUnread(account)
            return false
        }
    }

    /// The caseless names of an account's aliases, and of those being added; `nil` if the store has no such account.
    private struct StoredNames: Equatable { var (stored, added): ([String]?, [String]) }

    private func namesInForce(of account: Identity) throws(ManagementError) -> StoredNames {
        let stored = try reading { transaction in
            try transaction.account(account) == nil ? nil : transaction.aliases(of: account).map(\.alias).sorted()
        }
        return StoredNames(stored: stored, added: state.namesBeingAdded(to: account).sorted())
    }

    /// Signs an account out.
    func revoke(_ account: Identity) { IdentityRevocation.revoke(account, for: .signedOut) }
}
