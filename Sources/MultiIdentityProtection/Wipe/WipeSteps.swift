import MultiIdentity
import MultiIdentityFiles
import MultiIdentityPolicy

/// The phases of one run of a wipe, in their order, and what they found.
final class WipeSteps: Sendable {
    private struct State {
        var work = WipeReport.Work(cancelled: 0, captured: 0, stillRunning: 0, names: [])
        var handled: IdentityWipe.HandledFiles?
        var keys = WipeReport.Keys.kept
        var seconds: [WipePhase: Double] = [:]
    }

    private let wipe: IdentityWipe
    private let running: RunningWipe
    private let journal: WipeJournal
    private let tally: WipeTally
    private let isManaged: Bool
    private let state = Locked(State())

    private var identity: Identity { running.identity }

    init(_ wipe: IdentityWipe, _ running: RunningWipe, _ journal: WipeJournal) {
        self.wipe = wipe
        self.running = running
        self.journal = journal
        // Asked in each run: the wipe of an account that is gone by now still ends, and the report shows it.
        isManaged = wipe.accounts.isManaged(running.identity)
        tally = WipeTally(
            of: running.identity,
            after: journal.history.count,
            yields: wipe.yields,
            notify: { running.notify($0) },
            // If it cannot be recorded, a crash loses only a count.
            note: { try? journal.note(.count($0)) }
        )
    }

    /// Runs all phases, from the first to the report.
    func report() async -> WipeReport {
        await revokeAndDrain()
        await handle()
        await removeFiles()
        await destroyKeys()
        return await end()
    }

    /// Refuses new work, cancels what can be cancelled, and waits for the rest, all within the limit.
    private func revokeAndDrain() async {
        let clock = ContinuousClock()
        let end = clock.now + wipe.drainTimeout
        let before = IdentityRevocation.workInFlight(of: identity)
        let cancelled = await timed(.revoking) { await revoke(within: wipe.drainTimeout) }
        let left = await timed(.draining) {
            await IdentityRevocation.drain(identity, timeout: max(.zero, end - clock.now))
        }
        var names = left.records.prefix(100).map(\.description)
        if cancelled == nil { names.append("a revocation handler that has not returned") }
        let work = WipeReport.Work(
            cancelled: cancelled ?? 0,
            captured: before.captured,
            stillRunning: left.running + (cancelled == nil ? 1 : 0),
            names: names
        )
        state.withLock { $0.work = work }
    }

    /// Revokes the identity, and waits for the handlers that are notified; `nil` if they take too long.
    private func revoke(within limit: Duration) async -> Int? {
        let answer = Promise<Int?>()
        WipeThread { [identity] in answer.give(IdentityRevocation.revoke(identity, for: .wiped)) }.start()
        let alarm = Task.detached {
            try? await Task.sleep(for: limit)
            if !Task.isCancelled { answer.give(nil) }
        }
        let cancelled = await answer.wait()
        alarm.cancel()
        // However busy the machine is: nothing is removed before the identity is revoked.
        while IdentityRevocation.all[identity] != .wiped { try? await Task.sleep(for: .milliseconds(1)) }
        return cancelled
    }

    private func handle() async {
        guard await note(.phase(.handling)) else { return }
        let result = await timed(.handling) { [wipe, identity, running] in
            await Task.detached { () -> Result<IdentityWipe.HandledFiles, any Error> in
                await RunningWipe.$handled.withValue(running) {
                    do { return .success(try await wipe.handler(identity)) } catch { return .failure(error) }
                }
            }.value
        }
        switch result {
        case .success(let handled): state.withLock { $0.handled = handled }
        case .failure(let error):
            let reason = "it threw \(error). Fix that and wipe again: the handler is called again."
            tally.fail(WipeFailure("the program's handler", because: reason))
        }
    }

    /// Makes each storage remove the files, or verify that the handler did.
    private func removeFiles() async {
        guard await note(.phase(.removing)) else { return }
        let isHandled = state.withLock { $0.handled } == .removed
        failForMissingStorages()
        await wipe.turns.take()
        defer { wipe.turns.give() }
        await timed(.removing) {
            for storage in wipe.storages {
                await WipeThread.run(yields: wipe.yields) { [self] in
                    if isHandled { look(storage) } else { tally.visit(storage, .removedFiles) }
                }
            }
        }
    }

    /// A storage of an earlier run that this program lacks may still have files.
    private func failForMissingStorages() {
        let names = wipe.storages.map(\.storageName)
        for name in journal.history.storages where !names.contains(name) {
            let reason =
                "the wipe began with this storage, which this program lacks. Resume it in a program that has it."
            tally.fail(WipeFailure(name, because: reason))
        }
    }

    /// Checks whether the handler removed everything, as it reported; then drops the storage's records of the files.
    private func look(_ storage: any WipedStorage) {
        let failures = tally.failureCount
        tally.visit(storage, .forgottenFiles)
        if tally.failureCount == failures { tally.visit(storage, .removedFiles) }
    }

    /// Destroys the keys last, and only if nothing is left, because what they protect becomes unreadable.
    private func destroyKeys() async {
        guard let keys = wipe.keys else {
            if journal.history.hasKeys {
                let reason =
                    "the wipe began with keys, but this program has no provider. Resume it in a program that has one."
                return tally.fail(WipeFailure("the keys of \(identity)", because: reason))
            }
            return state.withLock { $0.keys = .none }
        }
        guard tally.failureCount == 0, await note(.phase(.destroyingKeys)) else { return }
        await timed(.destroyingKeys) {
            await WipeThread.blocking { [self] in
                do {
                    if let count = try keys.keyCount(of: identity) {
                        tally.setKeys(count)
                        try? journal.note(.count(tally.count))
                    }
                    try keys.destroyKeys(of: identity)
                    state.withLock { $0.keys = .destroyed }
                } catch {
                    tally.fail(WipeFailure("the keys of \(identity)", because: "\(error) Wipe again to try again."))
                }
            }
        }
    }

    private func end() async -> WipeReport {
        let report = report(tally.failures, tally.failureCount)
        return await WipeThread.blocking { [self] in
            defer { journal.close() }
            guard isNoted([.ended(report)], in: "the report") else {
                return self.report(tally.failures, tally.failureCount)
            }
            // The wipe is complete; the next resumption repeats a failed rename.
            if report.isComplete { try? journal.finish() }
            return report
        }
    }

    private func report(_ failures: [WipeFailure], _ failureCount: Int) -> WipeReport {
        let (count, state) = (tally.count, state.withLock { $0 })
        return WipeReport(
            identity: identity,
            isComplete: failureCount == 0,
            runs: journal.history.runs + 1,
            wasManaged: isManaged,
            began: journal.history.began ?? IdentityWipe.now,
            ended: IdentityWipe.now,
            handled: state.handled,
            files: count.files,
            bytes: count.bytes,
            isCountExact: journal.history.isCountExact,
            keys: state.keys,
            keyCount: count.keys,
            work: state.work,
            failures: failures,
            failureCount: failureCount,
            journalDamage: journal.damage,
            seconds: state.seconds
        )
    }

    /// Writes a record; what cannot be recorded is not done, because after a crash it would be unknown.
    private func note(_ record: WipeRecord) async -> Bool {
        await WipeThread.blocking { [self] in
            isNoted(record == .phase(.destroyingKeys) ? [.count(tally.count), record] : [record], in: "the journal")
        }
    }

    private func isNoted(_ records: [WipeRecord], in what: String) -> Bool {
        do {
            for record in records { try journal.note(record) }
            return true
        } catch {
            let reason = "\(what) cannot be written: \(error.message) Fix that and wipe again."
            tally.fail(WipeFailure(journal.path, because: reason))
            return false
        }
    }

    private func timed<Value>(_ phase: WipePhase, _ body: () async -> Value) async -> Value {
        tally.begin(phase)
        let start = ContinuousClock.now
        let value = await body()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        state.withLock { $0.seconds[phase] = seconds }
        return value
    }
}
