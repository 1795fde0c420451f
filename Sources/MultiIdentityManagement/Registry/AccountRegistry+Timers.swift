import MultiIdentity
import MultiIdentityPolicy

extension AccountRegistry {
    /// Runs the timers of this process, and delivers the events of others, until the task is cancelled.
    ///
    /// Run it in each process that shares the store; only one of them makes each request. It sleeps until the next
    /// request is due, and polls the store in between. A slow request delays no other, up to the maximum number of
    /// concurrent requests. Requests that are running when it returns continue.
    public func run() async {
        let changes = store.onChange { [state] in state.wake() }
        defer {
            changes?.cancel()
            endPresence()
        }
        while !Task.isCancelled {
            let woken = state.waitForWake()
            // First, since other accounts' requests must not delay a departure.
            if state.isOwing { try? changing { _ in } }
            for account in state.takeUnread() { adoptNames(of: account) }
            notifyEvents()
            renewPresence()
            followSilence()
            let claimed = claimDue()
            for record in claimed ?? [] {
                // Not a child task: cancelling the timers would wait for a service, or fail a running request.
                Task.detached(executorPreference: executor) { [self] in
                    await request(record, with: nil)
                    state.timerEnded(configuration)
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
                        state.timerEnded(configuration)
                    }
                }
            }
        }
        notifyEvents()
        await hasFollowed()
    }

    /// Stops all activity of this registry, as if its process had ended.
    package func abandon() { state.end() }

    /// Takes the leases of accounts with a request due, as many as this process may make now; `nil` if the store fails.
    package func claimDue() -> [AccountRecord]? {
        // Reads first, so that a poll with nothing due blocks no one.
        let isDue = try? reading { transaction in
            try transaction.nextDue().map { try $0 <= transaction.time().now } ?? false
        }
        if isDue == false { return [] }
        let claimed = try? changing { transaction in
            let due = try transaction.due(at: transaction.time().now, limit: state.freeTimers(of: configuration))
            return try due.map { record in
                var record = record
                return try lease(&record, transaction)
            }
        }
        state.timersBegan(claimed?.count ?? 0)
        return claimed
    }

    /// Sleeps until the next request is due, or only until the next poll: after a failure of the store, or without a
    /// request that may be made, it does not poll again at once.
    private func sleep(orUntil woken: Promise<Void>, looksOnly: Bool) async {
        var time = min(
            configuration.pollInterval,
            configuration.heartbeatTimeout.map { $0 / 3 } ?? configuration.pollInterval
        )
        if !looksOnly {
            let next = try? reading { transaction in
                try transaction.nextDue().map { try transaction.time().now.duration(to: $0) }
            }
            time = min(time, next.flatMap { $0 } ?? time)
        }
        let sleeper = Task(executorPreference: executor) { [clock = self.time, time] in
            _ = try? await clock.sleep(for: time)
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
