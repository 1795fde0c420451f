import MultiIdentity

extension AccountRegistry {
    /// Waits until no process runs work of removed accounts, or under names that have become aliases.
    ///
    /// Only removals and aliases from before the call count. A process has settled when it refuses the account or the
    /// name, and no such work still runs there (`IdentityRevocation.drain`). If
    /// ``ManagementConfiguration/heartbeatTimeout`` is set, this waits for all processes that share the store; otherwise for this one.
    ///
    /// - Parameter limit: The time limit.
    /// - Returns: Whether everything has settled. If not, a process has not been notified, earlier work still runs, or
    ///   a removal cannot be stored.
    /// - Throws: ``ManagementError`` if the store fails.
    public func waitUntilSettled(timeout limit: Duration) async throws(ManagementError) -> Bool {
        let end = ContinuousClock.now + limit
        if state.isOwing { try changing { _ in } }
        let heard = try reading { transaction in try transaction.lastEvent() }
        notifyEvents()
        var number: Int64?
        var pause = Duration.milliseconds(2)
        while true {
            // If this process is behind or the store was restored, its position means nothing.
            if number == nil, !state.isBehind, state.removals.followed >= heard { number = state.removals.last }
            if let number, !state.isOwing, state.removals.settled >= number, try areOthersSettled(upTo: number) {
                return true
            }
            let left = end - ContinuousClock.now
            if left <= .zero { return false }
            // Polled: notification would tax every process with the writes of all others.
            do { try await Task.sleep(for: min(pause, left)) } catch { return false }
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    private func areOthersSettled(upTo number: Int64) throws(ManagementError) -> Bool {
        guard configuration.heartbeatTimeout != nil else { return true }
        let (processes, elapsed) = try reading { transaction in
            (try transaction.processes(), try transaction.time().elapsed)
        }
        return processes.allSatisfy {
            $0.name == state.origin || !$0.isAwaited || $0.settled >= number || $0.until < elapsed
        }
    }

    /// Marks a removal as settled once no work of the account runs here, under any of its names; and a new alias once it
    /// is in force and no work under it runs.
    func settle(_ identity: Identity, _ number: Int64, isRemoval: Bool) {
        let isInForce = isRemoval || adoptNames(of: identity)
        // If another thread is about to revoke it, work that begins until then counts too.
        if isInForce, !state.removals.isRemoving(identity),
            refused(of: identity, isRemoval).allSatisfy({ IdentityRevocation.workInFlight(of: $0).isDrained })
        {
            return isDrained(number)
        }
        Task.detached(executorPreference: executor) { [self] in
            while !isInForce, !state.hasEnded {
                // The store failed: retry after an interval.
                try? await time.sleep(for: configuration.pollInterval)
                if adoptNames(of: identity) { break }
            }
            while state.removals.isRemoving(identity) { try? await Task.sleep(for: .milliseconds(1)) }
            for identity in refused(of: identity, isRemoval) {
                while await !IdentityRevocation.drain(identity, timeout: .seconds(60)).isDrained {
                    if state.hasEnded { return }
                }
            }
            isDrained(number)
        }
    }

    private func refused(of account: Identity, _ isRemoved: Bool) -> Set<Identity> {
        names.names(of: account).union(isRemoved ? [account] : [])
    }

    private func isDrained(_ number: Int64) {
        state.removals.drained(number)
        // A failure only makes others wait longer, and they have a time limit.
        if configuration.heartbeatTimeout == nil { return }
        try? showPresence()
    }

    /// Notifies others that this process is present and which removals it has settled; removes events that all have
    /// read.
    func showPresence(admitting: Bool = true) throws(ManagementError) {
        let (begun, presence) = (time.ticks(), configuration.heartbeatTimeout ?? RegistryTime.readerLifetime)
        let (wasThere, last) = try changing { transaction in
            let elapsed = try transaction.time().elapsed
            let wasThere = try transaction.processes().contains { $0.name == state.origin && $0.until >= elapsed }
            let settled = state.removals.settled
            var process = AccountProcess(name: state.origin, settled: settled, until: elapsed + presence)
            process.isAwaited = configuration.heartbeatTimeout != nil
            try transaction.put(process)
            try transaction.forgetEvents()
            return (wasThere, try transaction.lastEvent())
        }
        guard admitting else { return }
        if !wasThere || state.isBehind {
            // No one waited for this process, so accounts that left meanwhile come first.
            notifyEvents()
            if state.isBehind || state.removals.followed < last { return }
        }
        // Earlier than others stop waiting, to allow for clock differences.
        state.isPresent(until: begun + presence * 2 / 3)
    }

    /// Renews the presence once a third of its time has passed.
    func renewPresence() {
        let presence = configuration.heartbeatTimeout ?? RegistryTime.readerLifetime
        if let until = state.presentUntil, until - time.ticks() > presence / 3 { return }
        // On failure, retried at the next poll; without it, no more work is admitted.
        try? showPresence()
    }

    /// Ends the presence of this process, which receives no more events, and admits no more work.
    func endPresence() {
        state.isPresent(until: nil)
        // On failure, others wait until it expires.
        try? changing { transaction in try transaction.removeProcess(state.origin) }
    }

    /// Refuses work if others may have removed its account without this process knowing.
    func requirePresence(for identity: Identity) throws(ManagementError) {
        guard let presence = configuration.heartbeatTimeout else { return }
        if let until = state.presentUntil, time.ticks() < until { return }
        throw ManagementError(
            .heartbeatMissed,
            "No work of \(identity) begins, since this process has not reached the store for \(presence * 2 / 3). Check that run() is running, and that the store is available."
        )
    }
}
