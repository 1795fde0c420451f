public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Lets work of an identity begin, or says that its policy is required and not there; background work asks as well.
    ///
    /// None, nobody and who is neither managed nor registered need no policy.
    ///
    /// - Parameter identity: The identity of work that is about to begin.
    /// - Throws: ``AccountRegistryError`` where its policy is required and not there, where it is revoked or blocked, where policies are
    ///   required and the store cannot tell, and where this process is out of touch (``AccountRegistryOptions/presence``).
    /// - Complexity: O(1) where the policy is there, else a look into the store.
    public func admit(_ identity: Identity?) throws(AccountRegistryError) {
        guard let identity, !identity.isNobody else { return }
        do throws(IdentityRevokedError) { try IdentityRevocation.admit(identity) } catch {
            throw AccountRegistryError(.revoked, "No work of \(identity) begins. \(error)")
        }
        try requirePresence(for: identity)
        if accounts.isBlocked(identity) {
            throw AccountRegistryError(
                .offlineTooLong,
                "No work of \(identity) begins, since its service has confirmed no policy for too long. See why its checks fail."
            )
        }
        if options.readiness == .open || accounts.policy(of: identity) != nil { return }
        let isRegistered: Bool
        do throws(AccountRegistryError) { isRegistered = try account(identity) != nil } catch {
            if options.readiness == .warn { return }
            throw error
        }
        guard isRegistered else { return }
        if options.readiness == .required {
            throw AccountRegistryError(
                .policyRequired,
                "Work of \(identity) does not begin before its policy is there. Wait for the event that it is enrolled."
            )
        }
        if state.warns(of: identity) { warn(identity) }
    }

    private func warn(_ identity: Identity) {
        do throws(AccountStoreError) {
            try changing { (transaction) throws(AccountStoreError) in
                _ = try note(identity, .policyAbsent, "its work began before its policy was there", in: transaction)
            }
        } catch {
            state.forgetWarning(of: identity)
        }
        tellEvents()
    }

    /// Enrolls the user whom the provider of credentials knows, and waits for it.
    func enrollAtLaunch() async throws(AccountRegistryError) {
        let found = try? await limited { [self] in
            try await askProvider(for: nil, prompting: false)
        }
        guard let credential = found ?? nil else { return try requireNobody() }
        do throws(AccountRegistryError) {
            let account = try resolve(credential.identity)
            if let record = try begin(account) {
                await request(record, with: named(account, credential))
                await hasFollowed()
            }
            if options.readiness == .required { try admit(account) }
        } catch {
            if options.readiness == .required { throw error }
        }
    }

    /// Refuses a start without anybody where policies are required.
    private func requireNobody() throws(AccountRegistryError) {
        guard options.readiness == .required, accounts.enrolledIdentities.isEmpty else { return }
        throw AccountRegistryError(
            .policyRequired,
            "Nobody can be enrolled at launch, since the provider has no credential, and a policy is required. Log in first."
        )
    }
}
