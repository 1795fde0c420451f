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
        let look = time.now.advanced(by: interval)
        var next: WallInstant?
        if !looksOnly {
            next = (try? fromStore { (transaction) throws(AccountStoreError) in try transaction.nextDue() }) ?? nil
        }
        let sleeper = Task(executorPreference: executor) { [time, next] in
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
        if telemetry != nil { state.times(record.identity, since: time.now) }
        defer { if telemetry != nil { state.times(record.identity, since: nil) } }
        switch record.stage {
        case .registered: await enroll(record, credential)
        case .enrolled: await check(record)
        case .wiping: await wipe(record)
        }
    }

    /// Runs a part of a request for at most the request's limit, unless it lost its lease: who has left meanwhile is not asked for.
    private func part<Value: Sendable>(
        of record: AccountRecord,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await limited { [self] in
            guard try hasLease(record), !state.hasEnded else {
                throw EnrollmentFailure(.failed, "the account has left meanwhile")
            }
            return try await operation()
        }
    }

    /// Returns whether a request still has its lease: else its account has left meanwhile, or the request is another's now.
    func hasLease(_ record: AccountRecord) throws(AccountStoreError) -> Bool {
        try reading { (transaction) throws(AccountStoreError) in
            try transaction.account(record.identity)?.lease == record.lease
        }
    }

    private func credential(of record: AccountRecord, _ given: AccountCredential?) async throws -> AccountCredential {
        if let given { return given }
        return try credential(
            of: record.identity,
            try await part(of: record) { [self] in try await askProvider(for: record.identity, prompting: false) }
        )
    }

    private func enroll(_ record: AccountRecord, _ credential: AccountCredential?) async {
        do {
            // What the service hears last counts: first that the account left, then that it is there again.
            await state.telling(of: record.identity)?.value
            let credential = try await self.credential(of: record, credential)
            let answer = try await part(of: record) { [service] in try await service.enroll(credential) }
            try accept(answer, await configured(record, credential), credential)
        } catch {
            fail(record, error, interval: AccountRegistryOptions.retryInterval)
        }
    }

    private func check(_ record: AccountRecord) async {
        let interval = AccountRegistryOptions.interval(of: .enrolled)
        do {
            let credential = try await self.credential(of: record, nil)
            let answer = try await part(of: record) { [service] in try await service.checkPolicy(credential) }
            switch answer.since(record.policyText) {
            case .unchanged:
                let record = await configured(record, credential)
                if options.firstPolicy == .live, accounts.policy(of: record.identity) == nil {
                    // As after a start without it.
                    try accept(record.policyText.map { .text($0) } ?? .fromSource, record, credential)
                } else {
                    finish(record, .policyUnchanged, "the policy is what it was", nil, due: interval)
                }
            case .replaced(let policy): try accept(policy, await configured(record, credential), credential)
            case .removed(let text):
                // Where the store fails it is revoked all the same, and written down later, or the service is asked again.
                try? leave(record.identity, text, wiping: true, lease: record.lease)
            }
        } catch {
            fail(record, error, interval: interval)
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

    private func fail(_ record: AccountRecord, _ error: any Error, interval: Duration) {
        let failure = Self.failure(error)
        finish(record, failure.status, failure.text, error, due: interval)
    }

    /// Writes down that a request ended and changed nothing, unless its lease was lost meanwhile.
    func finish(
        _ record: AccountRecord,
        _ status: AccountEventStatus,
        _ text: String,
        _ error: (any Error)?,
        due interval: Duration?
    ) {
        if state.hasEnded { return }
        do throws(AccountStoreError) {
            try changing { (transaction) throws(AccountStoreError) in
                guard var now = try transaction.account(record.identity), now.lease == record.lease else { return }
                now.lease = nil
                now.lastRun = time.now
                now.due = interval.map { time.next(after: $0, for: now) }
                if status == .policyUnchanged { now.policyConfirmed = try transaction.time() }
                let before = now.configurationText
                now.configurationText = record.configurationText
                try transaction.put(now)
                try note(record.identity, status, text, error, in: transaction)
                try noteConfiguration(of: now, after: before, in: transaction)
            }
        } catch {
            // The lease ends by itself, and the request is made again.
        }
        tellEvents()
    }
}
