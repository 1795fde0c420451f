import MultiIdentity
import MultiIdentityPolicy

// What is left to do once an account has left: the service hears of it, and its data are wiped.
extension AccountRegistry {
    /// Does what a departure leaves to do, side by side, in one lease: whichever ends last forgets the account.
    func finishDeparture(_ record: AccountRecord) async {
        // First, since the wipe can take it away.
        let credential = record.wasAsked ? await credentialToNotify(record, nil) : nil
        async let isNotified = record.wasAsked ? notify(record, credential) : true
        if record.stage == .wiping { await wipe(record) }
        _ = await isNotified
    }

    /// The credential by which the service is notified, by the settings that it was asked with; `nil` where there is none.
    func credentialToNotify(_ record: AccountRecord, _ settings: IdentitySettings?) async -> AccountCredential? {
        let identity = record.identity
        let found = try? await limited(inTurn: settings == nil) { [self] in
            let settings = try settings ?? self.settings(with: record.overridesText, of: identity)
            return try await askProvider(for: identity, prompting: false, settings: settings)
        }
        return try? credential(of: identity, found ?? nil)
    }

    /// Notifies the service that it is not to have an account enrolled: once, whatever comes of it, which is an event.
    @discardableResult
    func notify(_ record: AccountRecord, _ credential: AccountCredential?) async -> Bool {
        var failure: (any Error)?
        do {
            guard let credential else { throw EnrollmentFailure(.credentialMissing, "the provider has no credential") }
            try await limited { [service] in try await service.unenroll(credential) }
        } catch {
            failure = error
        }
        if state.hasEnded { return false }
        do throws(AccountStoreError) {
            let next = try changing { [isNotified = failure == nil] (transaction) throws(AccountStoreError) in
                let outcome = failure.map { Self.failure($0) }
                let text = outcome.map { "the service was not notified: \($0.text)" } ?? "the service was notified"
                let status = outcome?.status ?? .serviceTold
                try note(record.identity, status, text, failure, ending: .unenrolment, in: transaction)
                guard var now = try transaction.account(record.identity) else { return nil as AccountRecord? }
                // Its wipe, which shared the lease, can have ended for the day.
                let waits = now.stage == .wiping && now.lease == nil && now.runs == record.runs
                guard now.lease == record.lease || waits else { return nil }
                now.wasAsked = now.stage == .registered && !isNotified
                if now.stage == .leaving || now.stage == .registered && !record.counts(in: now) {
                    return try release(now, transaction)
                }
                try transaction.put(now)
                return nil
            }
            if let next { requestInBackground(next) }
        } catch {
            // The lease ends by itself, and the service is notified again.
        }
        tellEvents()
        return failure == nil
    }

    /// Ends a lease by which nothing is left to do for an account that left; returns the request of one that has signed in again.
    func release(
        _ now: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) -> AccountRecord? {
        var now = now
        if now.stage == .registered { return try lease(&now, transaction) }
        if now.stage == .leaving { try transaction.remove(now.identity) }
        return nil
    }

    /// Has the service hear that an account is not enrolled which it accepted, by a request that counts no more.
    func takeBack(_ request: AccountRecord, _ credential: AccountCredential) async {
        while !state.hasEnded {
            let found = try? changing { (transaction) throws(AccountStoreError) -> (AccountRecord?, isOver: Bool) in
                var new = AccountRecord(request.identity, .leaving)
                new.wasAsked = true
                var now = try transaction.account(request.identity) ?? new
                switch now.stage {
                // A request that came later decides.
                case .enrolled: return (nil, true)
                case .registered where now.lease != nil: return (nil, true)
                // Who wipes it, or notifies the service of an earlier request, comes first.
                case .wiping, .leaving: if now.lease != nil { return (nil, false) }
                case .registered: break
                }
                let due = now.due
                let work = try lease(&now, transaction)
                // One that is still registered is asked for when it was due, and not earlier.
                if now.stage == .registered, let due {
                    now.due = due
                    try transaction.put(now)
                }
                return (work, true)
            }
            if let work = found?.0 {
                await notify(work, credential)
                return finishTakingBack(work)
            }
            if found?.isOver == true { return }
            do { try await time.sleep(time.now.advanced(by: options.lookInterval)) } catch { return }
        }
    }

    /// Ends the lease by which the service was notified of an account that is still registered.
    private func finishTakingBack(_ work: AccountRecord) {
        if work.stage != .registered || state.hasEnded { return }
        do throws(AccountStoreError) {
            try changing { (transaction) throws(AccountStoreError) in
                guard var now = try transaction.account(work.identity), work.counts(in: now) else { return }
                if now.due == work.due { now.due = nil }
                now.lease = nil
                try transaction.put(now)
            }
        } catch {
            // It ends by itself.
        }
    }

    /// Wipes an account that has left, and forgets it where nothing is left.
    func wipe(_ record: AccountRecord) async {
        var problem: (any Error)?
        let renewal = Task.detached(executorPreference: executor) { [self] in await renew(record) }
        defer { renewal.cancel() }
        do {
            if let wipe, try await wipe(record.identity) {
                if state.hasEnded { return }
                try changing { (transaction) throws(AccountStoreError) in
                    guard let now = try transaction.account(record.identity), now.lease == record.lease else { return }
                    try isWiped(now, record, transaction)
                }
                return tellEvents()
            }
        } catch {
            problem = error
        }
        let text = problem.map { Self.failure($0).text } ?? "some of its data are left"
        finish(record, .wipeIncomplete, text, problem, due: AccountRegistryOptions.retryInterval)
    }

    /// Writes down that an account is wiped; the service can still be to be notified.
    private func isWiped(
        _ now: AccountRecord,
        _ record: AccountRecord,
        _ transaction: any AccountTransaction
    ) throws(AccountStoreError) {
        try transaction.remove(now.identity)
        if now.wasAsked {
            var left = now
            left.stage = .leaving
            // By who notifies it beside the wipe; or else by the request that was under way, before somebody else does.
            if !record.wasAsked { left.lease = nil }
            left.due = time.now.advanced(by: options.leaseTime)
            try transaction.put(left)
        }
        try note(record.identity, .wiped, "all of its data are wiped", ending: .wipe, in: transaction)
    }

    /// Keeps the lease of a wipe as long as that takes, so that nobody begins a second one.
    private func renew(_ record: AccountRecord) async {
        do {
            while true {
                try await time.sleep(time.now.advanced(by: options.leaseTime / 2))
                if state.hasEnded { return }
                let isOurs = try changing { (transaction) throws(AccountStoreError) in
                    guard var now = try transaction.account(record.identity), now.lease == record.lease else {
                        return false
                    }
                    now.due = time.now.advanced(by: options.leaseTime)
                    try transaction.put(now)
                    return true
                }
                if !isOurs { return }
            }
        } catch {
            // Cancelled, as the wipe is over; or the store fails, and the lease ends by itself.
        }
    }
}
