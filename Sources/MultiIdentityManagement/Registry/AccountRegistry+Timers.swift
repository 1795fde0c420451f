import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Runs the timers of this process, and tells the events of others, until the task is cancelled.
    ///
    /// In each process that shares the store; each request is made by one of them. It sleeps until the next one is due,
    /// and looks at the store now and then. No request waits for a slow one, as long as there are fewer at once than the
    /// setting says. Those that are under way when it returns go on by themselves.
    public func run() async {
        let changes = store.onChange { [state] in state.wake() }
        defer {
            changes?.cancel()
            endPresence()
        }
        while !Task.isCancelled {
            let woken = state.waitForWake()
            // First, since who has left is not to work on for the sake of others' requests.
            if state.isOwing { try? changing { (_) throws(AccountStoreError) in } }
            tellEvents()
            renewPresence()
            followSilence()
            let claimed = claimDue()
            for record in claimed ?? [] {
                // Not a child: who ends the timers would wait for a service, and a request would fail that did not.
                Task.detached(executorPreference: executor) { [self] in
                    await request(record, with: nil)
                    state.timersEnded(record, options)
                }
            }
            await sleep(orUntil: woken, looksOnly: claimed == nil || state.freeTimers(of: options) == 0)
        }
    }

    /// Makes all requests that are due, and waits for them.
    package func runDue() async {
        followSilence()
        while !Task.isCancelled, let claimed = claimDue(), !claimed.isEmpty {
            await withTaskGroup(of: Void.self) { group in
                for record in claimed {
                    group.addTask { [self] in
                        await request(record, with: nil)
                        state.timersEnded(record, options)
                    }
                }
            }
        }
        tellEvents()
        await hasFollowed()
    }

    /// Has this registry do nothing any more, as if its process had ended.
    package func abandon() { state.end() }

    /// Takes the leases of accounts with a request due, as many as this process may make now; `nil` where the store fails.
    package func claimDue() -> [AccountRecord]? {
        if state.hasEnded { return [] }
        do throws(AccountStoreError) {
            let tidies = state.tidies(at: time.now)
            // Only read where there is nothing to do, so that a look holds nobody up.
            if !tidies, try !reading({ (transaction) throws(AccountStoreError) in try isDue(transaction) }) {
                return []
            }
            let claimed = try changing { (transaction) throws(AccountStoreError) in
                let now = time.now
                if tidies { try bringForward(transaction) }
                let free = state.freeTimers(of: options)
                if free == 0 { return [AccountRecord]() }
                var claimed: [AccountRecord] = []
                for var record in try transaction.due(at: now, limit: free) {
                    claimed.append(try lease(&record, transaction))
                }
                return claimed
            }
            state.timersBegan(claimed)
            return claimed
        } catch {
            return nil
        }
    }

    private func isDue(_ transaction: any AccountTransaction) throws(AccountStoreError) -> Bool {
        try transaction.nextDue().map { $0 <= time.now } ?? false
    }

    /// Brings requests forward that are due later than any can be: the clock was ahead when that was worked out.
    private func bringForward(_ transaction: any AccountTransaction) throws(AccountStoreError) {
        let longest = max(
            AccountRegistryOptions.retryInterval * (1 + time.spread),
            options.leaseTime
        )
        for var record in try transaction.due(after: time.now.advanced(by: longest)) {
            if record.lease != nil {
                record.due = time.now.advanced(by: options.leaseTime)
            } else {
                record.due = time.next(after: AccountRegistryOptions.interval(of: record.stage), for: record)
            }
            try transaction.put(record)
        }
    }

    /// Sleeps until the next request is due, or only until the next look: a store that fails, or no request that may be
    /// made, is no reason to look again at once.
    private func sleep(orUntil woken: Promise<Void>, looksOnly: Bool) async {
        let interval = min(options.lookInterval, options.presence.map { $0 / 3 } ?? options.lookInterval)
        var next: WallInstant?
        if !looksOnly {
            next = (try? fromStore { (transaction) throws(AccountStoreError) in try transaction.nextDue() }) ?? nil
        }
        let sleeper = Task(executorPreference: executor) { [time, next] in
            // By the clock of this very moment: it can have been set back since the last line.
            let look = time.now.advanced(by: interval)
            _ = try? await time.sleep(min(next ?? look, look))
            woken.give(())
        }
        await withTaskCancellationHandler {
            await woken.wait()
        } onCancel: {
            woken.give(())
        }
        sleeper.cancel()
    }

    /// Makes one request for a leased account, and writes down how it ended.
    package func request(_ record: AccountRecord, with credential: AccountCredential?) async {
        if telemetry != nil, record.isRegistered { state.times(record.identity, since: time.now) }
        defer { if telemetry != nil { state.times(record.identity, since: nil) } }
        switch record.stage {
        case .registered: await enroll(record, credential)
        case .enrolled: await check(record)
        case .wiping, .leaving: await finishDeparture(record)
        }
    }

    func requestInBackground(_ record: AccountRecord, with credential: AccountCredential? = nil) {
        Task.detached(executorPreference: executor) { [self] in await request(record, with: credential) }
    }

    /// Runs a part of a request that counts, for at most the request's limit; where it succeeds after that, `late` is called.
    private func part<Value: Sendable>(
        of record: AccountRecord,
        _ operation: @escaping @Sendable () async throws -> Value,
        late: (@Sendable () async -> Void)? = nil
    ) async throws -> Value {
        try await limited(
            { [self] in
                let counts = try reading { (transaction) throws(AccountStoreError) in
                    record.counts(in: try transaction.account(record.identity))
                }
                guard counts, !state.hasEnded else {
                    throw EnrollmentFailure(.failed, "the account has left meanwhile")
                }
                return try await operation()
            },
            late: late
        )
    }

    private func credential(of record: AccountRecord, _ given: AccountCredential?) async throws -> AccountCredential {
        if let given { return given }
        return try credential(
            of: record.identity,
            try await part(of: record) { [self] in
                try checkNoOtherIsEnrolled(insteadOf: record)
                return try await askProvider(for: record.identity, prompting: false)
            }
        )
    }

    private func enroll(_ record: AccountRecord, _ given: AccountCredential?) async {
        var credential: AccountCredential?
        do {
            let found = try await self.credential(of: record, given)
            credential = found
            let answer = try await part(
                of: record,
                { [self] in
                    try checkNoOtherIsEnrolled(insteadOf: record)
                    return try await service.enroll(found)
                },
                late: { [self] in await takeBack(record, found) }
            )
            await answered(answer, await configured(record, found), found)
        } catch {
            // What did not answer in time may answer yet; and what another process asked for is not known.
            let status = Self.failure(error).status
            let mayBeEnrolled = record.wasAsked || credential != nil && status == .timedOut
            let end = fail(record, error, mayBeEnrolled: mayBeEnrolled)
            let waits = status == .anotherIsEnrolled && accounts.mode.managesOne
            let isUnwanted = end == .left || end == .written && waits
            guard mayBeEnrolled, isUnwanted else { return }
            if credential == nil { credential = await credentialToNotify(record, nil) }
            if end == .left {
                await notify(record, credential)
            } else if let credential {
                await takeBack(record, credential)
            }
        }
    }

    /// Ends a request that the service has enrolled the account by: that is written down, or the service notified that it is not.
    private func answered(_ answer: EnrolledPolicy, _ record: AccountRecord, _ credential: AccountCredential) async {
        var failure: (any Error)?
        do { if try accept(answer, record) { return } } catch { failure = error }
        let isOurs = try? reading { (transaction) throws(AccountStoreError) in
            try transaction.account(record.identity)?.lease == record.lease
        }
        // Where the store fails the lease ends by itself, and the request is made again.
        guard let isOurs, !state.hasEnded else { return }
        var isNotified = false
        if isOurs { isNotified = await notify(record, credential) } else { await takeBack(record, credential) }
        if let failure { fail(record, failure, mayBeEnrolled: !isNotified) }
    }

    private func checkNoOtherIsEnrolled(insteadOf record: AccountRecord) throws {
        let failure = try reading { (transaction) throws(AccountStoreError) in
            try another(insteadOf: record, transaction)
        }
        if let failure { throw failure }
    }

    private func check(_ record: AccountRecord) async {
        let interval = AccountRegistryOptions.interval(of: .enrolled)
        do {
            let credential = try await self.credential(of: record, nil)
            let answer = try await part(of: record) { [service] in try await service.checkPolicy(credential) }
            switch answer.since(record.policyText) {
            case .unchanged:
                let record = await configured(record, credential)
                if !waitsForRestart, !accounts.isEnrolled(record.identity) {
                    // As after a start without it.
                    _ = try accept(record.policyText.map { .text($0) } ?? .fromSource, record)
                } else {
                    finish(record, .policyUnchanged, "the policy is what it was", nil, due: interval)
                }
            case .replaced(let policy): _ = try accept(policy, await configured(record, credential))
            case .removed(let text):
                // Where the store fails it is revoked all the same, and written down later, or the service is asked again.
                try? leave(record.identity, text, wiping: true, lease: record.lease)
            }
        } catch {
            guard fail(record, error, mayBeEnrolled: true) == .silent else { return }
            // Where the store fails it is revoked all the same, and written down later.
            let reason = "the service has confirmed no policy for too long"
            try? leave(record.identity, reason, wiping: true, tells: true, lease: record.lease)
        }
    }

    /// The record with the configuration that the service has for the account; where it has none that can be read, an event says so.
    private func configured(_ record: AccountRecord, _ credential: AccountCredential) async -> AccountRecord {
        var record = record
        do {
            let text = try await part(of: record) { [service] in try await service.configuration(credential) }
            if let text { try checkConfiguration(text) }
            record.configurationText = text
        } catch {
            noteFailedConfiguration(of: record, error)
        }
        return record
    }

    @discardableResult
    private func fail(_ record: AccountRecord, _ error: any Error, mayBeEnrolled: Bool) -> RequestEnd {
        let failure = Self.failure(error)
        var record = record
        record.wasAsked = mayBeEnrolled
        let interval = AccountRegistryOptions.interval(of: record.stage)
        return finish(record, failure.status, failure.text, error, due: interval)
    }

    /// What became of a request whose end was to be written down.
    enum RequestEnd { case written, silent, left, lost }

    /// Writes down that a request ended and changed nothing, unless it counts no more.
    ///
    /// It is `left` where its account left, and what that leaves to do is to be done in its lease; `silent` where it is to be wiped,
    /// since the service has been silent for too long.
    @discardableResult
    func finish(
        _ record: AccountRecord,
        _ status: AccountEventStatus,
        _ text: String,
        _ error: (any Error)?,
        due interval: Duration
    ) -> RequestEnd {
        if state.hasEnded { return .lost }
        defer { tellEvents() }
        do throws(AccountStoreError) {
            let (end, next) = try changing {
                (transaction) throws(AccountStoreError) -> (RequestEnd, AccountRecord?) in
                guard var now = try transaction.account(record.identity), now.lease == record.lease else {
                    return (.lost, nil)
                }
                guard record.counts(in: now) else {
                    // The service does not have it.
                    return record.wasAsked ? (.left, nil) : (.lost, try release(now, transaction))
                }
                (now.lease, now.lastRun) = (nil, time.now)
                if now.stage == .registered { now.wasAsked = record.wasAsked }
                let waits = try another(insteadOf: now, transaction) != nil
                now.due = waits ? nil : time.next(after: interval, for: now)
                var end = RequestEnd.written
                if status == .policyUnchanged {
                    (now.policyConfirmed, now.silence) = (try transaction.time(), .heard)
                } else if now.stage == .enrolled, try isWipedForSilence(&now, transaction) {
                    // Until it has left by that; if the process dies before, it is asked once more.
                    (end, now.lease, now.due) = (.silent, record.lease, time.now.advanced(by: options.leaseTime))
                }
                let before = now.configurationText
                now.configurationText = record.configurationText
                try transaction.put(now)
                try note(record.identity, status, text, error, ending: AccountRequest(of: record), in: transaction)
                try noteConfiguration(of: now, after: before, in: transaction)
                return (end, nil)
            }
            if let next { requestInBackground(next) }
            return end
        } catch {
            // The lease ends by itself, and the request is made again.
            return .lost
        }
    }
}
