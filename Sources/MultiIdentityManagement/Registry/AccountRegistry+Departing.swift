import MultiIdentity
import MultiIdentityPolicy

// The work after an account has left: the service is notified, and the account's data are wiped.
extension AccountRegistry {
    /// Does the work that a departure leaves, concurrently in one lease; the part that ends last removes the account.
    func finishDeparture(_ work: AccountRecord) async {
        // First, because the wipe can remove the credential.
        let credential = work.wasAsked ? await credentialToNotify(work, nil) : nil
        async let isNotified: Void = work.wasAsked ? notify(work, credential) : ()
        if work.stage == .wiping { await wipe(work) }
        await isNotified
    }

    /// Returns the credential for notifying the service, with the settings of the enrolment; `nil` if there is none.
    func credentialToNotify(_ record: AccountRecord, _ settings: AccountSettings?) async -> AccountCredential? {
        let identity = record.identity
        let found = try? await limited(inTurn: settings == nil) { [self] in
            let settings = try settings ?? self.settings(with: record.overridesText, of: identity)
            return try await askProvider(for: identity, prompting: false, settings: settings)
        }
        return try? credential(of: identity, found ?? nil)
    }

    /// Notifies the service once that an account is not enrolled; an event reports the outcome.
    ///
    /// The enrolment of an account that is still registered is requested when due, or in a day.
    func notify(_ work: AccountRecord, _ credential: AccountCredential?, due: WallInstant? = nil) async {
        var failure: (any Error)?
        do {
            guard let credential else { throw EnrollmentFailure(.credentialMissing, "the provider has no credential") }
            try await limited { [service] in try await service.unenroll(credential) }
        } catch {
            failure = error
        }
        let outcome = failure.map { Self.failure($0) }
        let text = outcome.map { "the service was not notified: \($0.text)" } ?? "the service was notified"
        // If the store fails, the lease expires, and the service is notified again.
        let next = try? changing { [failure] transaction -> AccountRecord? in
            let status = outcome?.status ?? .serviceNotified
            try note(work.identity, status, text, failure, ending: .unenrolment, in: transaction)
            guard var now = try transaction.account(work.identity) else { return nil }
            // Its wipe, which shared the lease, may have ended until its retry.
            let isBeside = now.stage == .wiping && now.lease == nil && now.runs == work.runs
            guard now.lease == work.lease || isBeside else { return nil }
            let isWanted = work.counts(in: now) && now.stage == .registered
            guard isWanted || now.stage == .wiping else { return try release(now, transaction) }
            now.wasAsked = isWanted && failure != nil
            if isWanted || due != nil {
                let waits = try another(insteadOf: now, transaction) != nil
                now.lease = nil
                now.due = waits && !now.wasAsked ? nil : try due ?? time.next(of: now, transaction)
            }
            try transaction.put(now)
            return nil
        }
        if let next = next ?? nil { requestInBackground(next) }
        notifyEvents()
    }

    /// Wipes an account that has left, and removes it if no data are left.
    func wipe(_ work: AccountRecord) async {
        var problem: (any Error)?
        let renewal = Task.detached(executorPreference: executor) { [self] in await renew(work) }
        defer { renewal.cancel() }
        do {
            if let wipe, try await wipe(work.identity) {
                try changing { transaction in
                    guard let now = try transaction.account(work.identity), now.lease == work.lease else { return }
                    try isWiped(now, work, transaction)
                }
                return notifyEvents()
            }
        } catch {
            problem = error
        }
        finish(work, .wipeIncomplete, problem.map { Self.failure($0).text } ?? "some of its data are left", problem)
    }

    /// Records that an account is wiped; the service may still have to be notified.
    private func isWiped(
        _ now: AccountRecord,
        _ work: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws {
        try transaction.remove(now.identity)
        if now.wasAsked {
            var left = now
            left.stage = .leaving
            // The concurrent notification does that; otherwise the request that was under way, before any other one.
            if !work.wasAsked { left.lease = nil }
            left.due = try time.leaseEnd(transaction)
            try transaction.put(left)
        }
        try note(work.identity, .wiped, "all of its data are wiped", ending: .wipe, in: transaction)
    }

    /// Renews the lease of a wipe while it runs, so that no process begins a second one.
    private func renew(_ work: AccountRecord) async {
        var isOurs = true
        while isOurs {
            // Cancelled when the wipe ends. Often enough that the store may fail in between.
            do { try await time.sleep(for: time.leaseTime / 4) } catch { return }
            let renewed = try? changing { transaction in
                guard var now = try transaction.account(work.identity), now.lease == work.lease else { return false }
                now.due = try time.leaseEnd(transaction)
                try transaction.put(now)
                return true
            }
            isOurs = renewed ?? !state.hasEnded
        }
    }
}
