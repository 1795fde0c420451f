public import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Admits work of an identity, or throws if a required policy is missing; call it for background work too.
    ///
    /// Work without an identity, nobody, and identities that are neither managed nor registered need no policy.
    ///
    /// - Parameter identity: The identity of the work that is about to begin.
    /// - Throws: ``ManagementError`` if the policy is required and missing, if the identity is revoked or blocked, if
    ///   policies are required and the store fails, or if this process is out of touch with the store
    ///   (``ManagementConfiguration/heartbeatTimeout``).
    /// - Complexity: O(1) if the policy is there; otherwise one read of the store.
    public func admit(_ identity: Identity?) throws(ManagementError) {
        guard let identity, !identity.isNobody else { return }
        do { try IdentityRevocation.admit(identity) } catch {
            throw ManagementError(.revoked, "No work of \(identity) begins. \(error.message)")
        }
        try requirePresence(for: identity)
        if accounts.isBlocked(identity) {
            throw ManagementError(
                .offlineTooLong,
                "No work of \(identity) begins, since its service has not confirmed a policy for too long. Find out why its checks fail."
            )
        }
        if !configuration.policyRequired && !configuration.policyWarnAbsent || accounts.hasPolicy(identity) { return }
        if !accounts.isKnown(identity) {
            // Another process may just have registered it.
            do { if try account(identity) == nil { return } } catch {
                if !configuration.policyRequired { return }
                throw error
            }
        }
        if configuration.policyRequired {
            throw ManagementError(
                .policyRequired,
                "Work of \(identity) does not begin before its policy has arrived. Wait for the enrolled event."
            )
        }
        if state.warns(of: identity) { warn(identity) }
    }

    private func warn(_ identity: Identity) {
        let text = "its work began before its policy arrived"
        let warned = try? changing { transaction in try note(identity, .policyAbsent, text, in: transaction) }
        if warned == nil { state.forgetWarning(of: identity) }
        notifyEvents()
    }

    /// Enrolls the user that the provider knows, and waits for the result; with a prompt if a policy is required.
    ///
    /// An event reports a failure, unless there is no account.
    func enrollAtLaunch() async {
        do {
            let found =
                configuration.policyRequired
                ? try await anyCredential(of: nil)
                : try await limited { [self] in try await askProvider(for: nil, prompting: false) }
            guard let found else { return }
            let account = try resolve(found.identity)
            if let record = try begin(account) { await request(record, with: named(account, found)) }
            await hasFollowed()
        } catch {}
    }

    /// Waits for the policy of the managed account, and throws if it does not arrive; requests it, unless that was done
    /// since the start.
    func requirePolicy(since start: WallInstant) async throws(ManagementError) {
        let end = time.now.advanced(by: configuration.requestTimeout)
        // The enrolled account, otherwise the registered ones.
        let enrolled = accounts.enrolledIdentities
        let candidates = try enrolled.isEmpty ? registeredAccounts().map(\.identity) : Array(enrolled)
        for identity in candidates where time.now < end {
            if accounts.hasPolicy(identity) { return }
            let record = try changing { transaction -> AccountRecord? in
                guard var record = try transaction.account(identity), record.isRegistered else { return nil }
                let now = try transaction.time().now
                let isAsked = record.lease != nil && record.due ?? now > now
                if isAsked || record.lastRun ?? start > start { return nil }
                return try lease(&record, transaction)
            }
            if let record { await request(record, with: nil) }
            // Otherwise another process is requesting it, or has requested it.
            while time.now < end, try account(identity)?.lease != nil {
                do { try await time.sleep(for: min(configuration.pollInterval, time.now.duration(to: end))) } catch {
                    break
                }
            }
            notifyEvents()
            await hasFollowed()
            if accounts.hasPolicy(identity) { return }
        }
        throw ManagementError(
            .policyRequired,
            candidates.isEmpty
                ? "No account is registered, but a policy is required. Set enrollsAtLaunch, or log in with a program that requires none."
                : "The policy of \(candidates[0]) is required and has not arrived. Check its last event, and start again."
        )
    }
}
