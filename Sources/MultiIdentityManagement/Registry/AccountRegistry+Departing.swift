import MultiIdentity
import MultiIdentityPolicy

// What is left to do once an account has left: the service hears of it, and its data are wiped.
extension AccountRegistry {
    /// Does what a departure leaves to do, side by side, in one lease: whichever ends last forgets the account.
    func finishDeparture(_ work: AccountRecord) async {
        // First, since the wipe can take it away.
        let credential = work.wasAsked ? await credentialToNotify(work, nil) : nil
        async let isNotified: Void = work.wasAsked ? notify(work, credential) : ()
        if work.stage == .wiping { await wipe(work) }
        await isNotified
    }

    /// The credential by which the service is notified, by the settings that it was asked with; `nil` where there is none.
    func credentialToNotify(_ record: AccountRecord, _ settings: AccountSettings?) async -> AccountCredential? {
        let identity = record.identity
        let found = try? await limited(inTurn: settings == nil) { [self] in
            let settings = try settings ?? self.settings(with: record.overridesText, of: identity)
            return try await askProvider(for: identity, prompting: false, settings: settings)
        }
        return try? credential(of: identity, found ?? nil)
    }

    /// Notifies the service that it is not to have an account enrolled: once, whatever comes of it, which is an event.
    ///
    /// One that is still registered is asked for when that is due; without, in a day.
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
        // Where the store fails the lease ends by itself, and the service is notified again.
        let next = try? changing { [failure] transaction -> AccountRecord? in
            let status = outcome?.status ?? .serviceNotified
            try note(work.identity, status, text, failure, ending: .unenrolment, in: transaction)
            guard var now = try transaction.account(work.identity) else { return nil }
            // Its wipe, which shared the lease, can have ended for the day.
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

    /// Wipes an account that has left, and forgets it where nothing is left.
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

    /// Writes down that an account is wiped; the service can still be to be notified.
    private func isWiped(
        _ now: AccountRecord,
        _ work: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws {
        try transaction.remove(now.identity)
        if now.wasAsked {
            var left = now
            left.stage = .leaving
            // By who notifies it beside the wipe; or else by the request that was under way, before somebody else does.
            if !work.wasAsked { left.lease = nil }
            left.due = try time.leaseEnd(transaction)
            try transaction.put(left)
        }
        try note(work.identity, .wiped, "all of its data are wiped", ending: .wipe, in: transaction)
    }

    /// Keeps the lease of a wipe as long as that takes, so that no process begins a second one.
    private func renew(_ work: AccountRecord) async {
        var isOurs = true
        while isOurs {
            // Cancelled when the wipe is over. So often that the store may fail in between.
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
