/// A wait until nothing of a name runs.
///
/// Counted work wakes it with its end (``WorkTally/isWaitedFor``). Work that was handed over to run once would pay for that with
/// each end, and wakes nobody: where nothing else is left, this looks again after longer and longer times.
struct IdleWait {
    private static let sleepers = Locked<[ObjectIdentifier: Set<Task<Void, Never>>]>([:])

    private let record: IdentityRecord
    private let end: ContinuousClock.Instant

    init(for record: IdentityRecord, until end: ContinuousClock.Instant) {
        self.record = record
        self.end = end
    }

    /// Returns `true` once nothing runs, and `false` where the time is up before that, or the task is cancelled.
    func isOver() async -> Bool {
        var pause = Duration.milliseconds(1)
        while true {
            let isCounted = record.tally.running > 0
            if !isCounted, record.threadsInFlight == 0 { return true }
            let now = ContinuousClock.now
            if now >= end || Task.isCancelled { return false }
            if isCounted {
                await sleepUntilWoken()
            } else {
                try? await Task.sleep(for: min(pause, end - now))
                pause = min(pause * 2, .milliseconds(50))
            }
        }
    }

    /// Waits until no work is counted any more, or the time is up.
    private func sleepUntilWoken() async {
        let key = ObjectIdentifier(record)
        let sleeper = Task.detached { [end] () -> Void in try? await Task.sleep(until: end, clock: .continuous) }
        // In one word with the count: what ends from now on sees that it is waited for, or this sees that it has ended.
        let before = Self.sleepers.withLock { sleepers in
            sleepers[key, default: []].insert(sleeper)
            return record.change { $0.waitedFor(true) }
        }
        if before.running == 0 { sleeper.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        Self.sleepers.withLock { sleepers in
            sleepers[key]?.remove(sleeper)
            guard sleepers[key]?.isEmpty == true else { return }
            sleepers[key] = nil
            record.change { $0.waitedFor(false) }
        }
    }

    /// Wakes all who wait for this name: the last of its counted work has ended.
    @inline(never)
    static func wake(_ record: IdentityRecord) {
        for sleeper in sleepers.withLock({ $0[ObjectIdentifier(record)] ?? [] }) { sleeper.cancel() }
    }
}
