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
            if state.isOwing { try? changing { _ in } }
            tellEvents()
            renewPresence()
            followSilence()
            let claimed = claimDue()
            for record in claimed ?? [] {
                // Not a child: who ends the timers would wait for a service, and a request would fail that did not.
                Task.detached(executorPreference: executor) { [self] in
                    await request(record, with: nil)
                    state.timersEnded(record, configuration)
                }
            }
            await sleep(orUntil: woken, looksOnly: claimed == nil || state.freeTimers(of: configuration) == 0)
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
                        state.timersEnded(record, configuration)
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
        let tidies = state.tidies(at: time.now)
        // Only read where there is nothing to do, so that a look holds nobody up.
        guard tidies || (try? reading({ transaction in try isDue(transaction) })) ?? true else { return [] }
        let claimed = try? changing { transaction in
            if tidies { try bringForward(transaction) }
            let due = try transaction.due(at: time.now, limit: state.freeTimers(of: configuration))
            return try due.map { record in
                var record = record
                return try lease(&record, transaction)
            }
        }
        state.timersBegan(claimed ?? [])
        return claimed
    }

    private func isDue(_ transaction: any AccountTransaction) throws -> Bool {
        try transaction.nextDue().map { $0 <= time.now } ?? false
    }

    /// Brings requests forward that are due later than any can be: the clock was ahead when that was worked out.
    private func bringForward(_ transaction: any AccountTransaction) throws {
        let longest = max(RegistryTime.retryInterval * (1 + time.spread), time.leaseTime)
        for var record in try transaction.due(after: time.now.advanced(by: longest)) {
            if record.lease != nil {
                record.due = time.now.advanced(by: time.leaseTime)
            } else {
                record.due = time.next(after: RegistryTime.interval(of: record.stage), for: record)
            }
            try transaction.put(record)
        }
    }

    /// Sleeps until the next request is due, or only until the next look: a store that fails, or no request that may be
    /// made, is no reason to look again at once.
    private func sleep(orUntil woken: Promise<Void>, looksOnly: Bool) async {
        let interval = min(
            configuration.lookInterval,
            configuration.presence.map { $0 / 3 } ?? configuration.lookInterval
        )
        var next: WallInstant?
        if !looksOnly {
            next = (try? reading { transaction in try transaction.nextDue() }) ?? nil
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
}
