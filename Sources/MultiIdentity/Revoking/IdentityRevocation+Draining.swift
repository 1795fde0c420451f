extension IdentityRevocation {
    /// Counts the current work of an identity, if it began or was captured while ``isOn``.
    ///
    /// It counts scopes, and work that the boundaries of this package handed over. A plain `Task {}` is not counted: the
    /// language does not report when it begins.
    ///
    /// - Parameter identity: The identity.
    /// - Returns: The counts; they change while they are read.
    /// - Complexity: O(*n*) in the number of threads and, if running work is recorded, in the amount of that work.
    public static func workInFlight(of identity: Identity) -> WorkInFlight {
        let record = identity.spelling.record
        let running = record.tally.running + record.threadsInFlight
        let records = running > 0 ? RunningWorkRecord.all.filter { $0.identity == identity } : []
        return WorkInFlight(identity: identity, captured: record.captures, running: running, records: records)
    }

    /// Waits until no work of an identity runs, revoked or not, or until a timeout.
    ///
    /// The caller's own scopes do not count, since they wait for this. New work can begin in the meantime if the identity is
    /// not revoked. If the task is cancelled, the call returns at once.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - limit: The longest time to wait.
    /// - Returns: The remaining work; ``WorkInFlight/isDrained`` if none runs.
    public static func drain(_ identity: Identity, timeout limit: Duration) async -> WorkInFlight {
        let waiting = WaitingScopes(of: identity)
        defer { waiting.end() }
        let end = ContinuousClock.now + limit
        let wait = IdleWait(for: identity.spelling.record, until: end)
        while await wait.isOver() {
            let left = workInFlight(of: identity)
            // Otherwise new work has begun since, or was counted and is about to be refused.
            if left.isDrained || ContinuousClock.now >= end { return left }
        }
        return workInFlight(of: identity)
    }

    /// Runs `operation`, a wipe, without counting the caller's own scopes as running, since the caller waits for it.
    package static func whileCallerWaits<Value>(
        for identity: Identity,
        _ operation: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        let waiting = WaitingScopes(of: identity)
        defer { waiting.end() }
        return await operation()
    }

    /// Prevents the readmission of an identity until ``letGo(_:)``.
    package static func hold(_ identity: Identity) { RevokedNames.shared.hold(identity) }

    package static func letGo(_ identity: Identity) { RevokedNames.shared.letGo(identity) }
}

extension OngoingWork {
    /// The work that is open in this task, or on this thread, from the innermost outwards.
    fileprivate static var here: [OngoingWork] {
        guard let innermost = ThreadMirror.current().frame?.standing.ongoingHere else { return [] }
        return Array(sequence(first: innermost) { $0.outer })
    }

    /// Ends it: the thread exits in it, and its scopes never end.
    static func endHere() { for work in here { work.end() } }
}

/// The scopes of the caller that are not counted, since it waits for the end of its own identity's work.
///
/// They are in the tally itself: with a separate count, a reader could see a waiting caller before its scope is counted, and so
/// miss other work.
private struct WaitingScopes {
    private let scopes: [OngoingWork]

    init(of identity: Identity) {
        scopes = OngoingWork.here.filter { $0.record === identity.spelling.record }
        for scope in scopes { scope.waitsForOthers() }
    }

    func end() {
        for scope in scopes { scope.goesOn() }
    }
}

/// A wait until nothing of a name runs.
///
/// Counted work wakes it at its end (``WorkTally/isWaitedFor``). Handed-over work that runs once would pay for that at each
/// end, and so wakes nothing: if only such work is left, this polls at growing intervals.
struct IdleWait {
    /// The waiting tasks, by the address of the record of the name.
    ///
    /// The name is marked as waited for only while there are some: the mark changes only inside this lock.
    private static let sleepers = Locked<[UInt: Set<Task<Void, Never>>]>([:])

    private let record: IdentityRecord
    private let end: ContinuousClock.Instant

    init(for record: IdentityRecord, until end: ContinuousClock.Instant) {
        self.record = record
        self.end = end
    }

    /// Returns `true` once nothing runs, and `false` if the timeout expires first, or the task is cancelled.
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

    /// Waits until no work is counted any more, or the timeout expires.
    private func sleepUntilWoken() async {
        let sleeper = Task.detached { [end] () -> Void in try? await Task.sleep(until: end, clock: .continuous) }
        // In one word with the count: either work that ends from now on sees the wait, or this sees that the work has ended.
        let runsNone = Self.sleepers.withLock { sleepers in
            sleepers[record.address, default: []].insert(sleeper)
            return record.change { $0.waitedFor(true) }.running == 0
        }
        defer {
            Self.sleepers.withLock { sleepers in
                sleepers[record.address]?.remove(sleeper)
                guard sleepers[record.address]?.isEmpty == true else { return }
                sleepers[record.address] = nil
                record.change { $0.waitedFor(false) }
            }
        }
        if runsNone { sleeper.cancel() }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
    }

    static func waiterCount(for record: IdentityRecord) -> Int { sleepers.withLock { $0[record.address]?.count ?? 0 } }

    /// Wakes all tasks that wait for a name: the last counted work of it has ended.
    @inline(never)
    static func wake(_ record: IdentityRecord) {
        let woken = sleepers.withLock { sleepers in
            record.change { $0.waitedFor(false) }
            return sleepers[record.address] ?? []
        }
        for sleeper in woken { sleeper.cancel() }
    }
}

/// The amount of work of an identity at one instant.
public struct WorkInFlight: Sendable {
    /// The identity of the work.
    public let identity: Identity
    /// The number of its captures that can be restored: pending work, and handlers, timers and items that may run again.
    ///
    /// Work that runs once counts here too until it begins. After a revocation all of it runs under nobody.
    public let captured: Int
    /// The number of its open scopes and running pieces of handed-over work, except those that the caller waits for.
    public let running: Int
    /// The running work, the longest-running first, if it is recorded; otherwise empty.
    package let records: [RunningWorkRecord]

    /// Indicates whether no work runs.
    public var isDrained: Bool { running == 0 }
}

extension WorkInFlight: CustomStringConvertible {
    /// `ada@contoso.com: 2 running, 7 captured`, and one line for each recorded piece of work.
    public var description: String {
        (["\(identity): \(running) running, \(captured) captured"] + records.map(\.description)).joined(separator: "\n")
    }
}
