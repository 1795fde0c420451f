public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Registers an account that the program has authenticated; its enrolment begins at once in the background.
    ///
    /// Registering it again begins a request only if it is not enrolled and no request is running.
    ///
    /// - Parameter identity: The account, or an alias of it.
    /// - Throws: ``ManagementError`` if the identity is nobody, revoked or not a work account, or if the store fails.
    public func register(_ identity: Identity) throws(ManagementError) {
        guard let record = try begin(identity) else { return }
        requestInBackground(record)
    }

    /// Asks the provider for a credential, with a prompt if needed, and registers its account.
    ///
    /// - Parameter identity: The account; `nil` for the user that the provider knows.
    /// - Returns: The registered account; its enrolment begins in the background.
    /// - Throws: The errors of ``register(_:)``, and ``ManagementError`` if there is no credential, or only one of another
    ///   account.
    @discardableResult
    public func logInAndEnroll(_ identity: Identity? = nil) async throws(ManagementError) -> Identity {
        if let identity { try check(identity) }
        guard let credential = try await anyCredential(of: identity) else {
            throw ManagementError(
                .noCredential,
                "There is no credential of \(identity.map { "\($0)" } ?? "any user"), not even after a prompt. Log in, and try again."
            )
        }
        let account = try resolve(credential.identity)
        if let identity, try resolve(identity) != account {
            throw ManagementError(
                .noCredential,
                "The provider gave a credential of \(account) for \(identity). Log in as \(identity), or ask for \(account)."
            )
        }
        if let record = try begin(account) { requestInBackground(record, with: named(account, credential)) }
        return account
    }

    static func notRegistered(_ identity: Identity) -> ManagementError {
        ManagementError(.notRegistered, "\(identity) is not registered. Register it first.")
    }

    func check(_ identity: Identity) throws(ManagementError) {
        if identity.isNobody { throw ManagementError(.nobody, "Nobody is not an account. Register a named identity.") }
    }

    /// Registers an account, and takes the lease of its first request; `nil` if none is needed.
    func begin(_ name: Identity) throws(ManagementError) -> AccountRecord? {
        try check(name)
        let identity = try resolve(name)
        guard isWorkAccount(identity) else {
            throw ManagementError(
                .notWorkAccount,
                "\(identity) is not registered, since it is not a work account. Register a work account."
            )
        }
        // First, so that the account is never unmanaged while the store has it; undone from the store on failure.
        let isNew = !accounts.has(identity)
        if isNew { accounts.know([identity], enrolled: false) }
        // For the alias of an account that has left, or one being added, the store decides.
        let isOther = names.account(named: identity) != nil
        let isRevoked = IdentityRevocation.isRevokedItself(identity)
        var isAsked = false
        defer { if isNew || isOther, !isAsked { adopt(identity) } }
        let (record, life) = try changing { transaction -> (AccountRecord?, Int64) in
            var record = try transaction.account(identity) ?? AccountRecord(identity)
            // A wipe must end first, even if the identity was readmitted; and the name may just have become an alias.
            let isTaken = try transaction.account(ofAlias: identity) != nil
            if isRevoked || isTaken || record.stage == .wiping {
                throw ManagementError(
                    .revoked,
                    "\(identity) is revoked. Once it has signed in again and no wipe of it is running, readmit it and register it."
                )
            }
            if record.stage == .leaving {
                (record.stage, record.life, record.overridesText) = (.registered, 0, nil)
            }
            guard record.stage == .registered else { return (nil, record.life) }
            if record.life == 0 {
                record.life = try note(identity, .registered, "the account is registered", in: transaction)
                // A running request or notification requests the enrolment again when it ends.
                if record.lease != nil { try transaction.put(record) }
            }
            if record.lease != nil { return (nil, record.life) }
            if let failure = try another(insteadOf: record, transaction) {
                if !record.wasAsked { record.due = nil }
                try transaction.put(record)
                try note(identity, failure.status, failure.text, ending: .enrolment, in: transaction)
                return (nil, record.life)
            }
            return (try lease(&record, transaction), record.life)
        }
        isAsked = record != nil
        if isOther { names.free(identity) }
        state.registered(life)
        notifyEvents()
        state.wake()
        return record
    }
}
