extension IdentityRevocation {
    /// Counts the work of an identity that there is now, as far as it began or was captured while ``isOn``.
    ///
    /// Scopes, and what the boundaries of this package handed over. A plain `Task {}` is not counted: the language tells
    /// nobody when it begins.
    ///
    /// - Parameter identity: The identity.
    /// - Returns: The counts; they change while they are read.
    /// - Complexity: O(*n*) in the number of threads; also in the work that runs where that is recorded.
    public static func workInFlight(of identity: Identity) -> WorkInFlight {
        let record = identity.spelling.record
        let running = record.tally.running + record.threadsInFlight
        let work = running > 0 ? RunningWork.all.filter { $0.identity == identity } : []
        return WorkInFlight(identity: identity, captured: record.captures, running: running, work: work)
    }

    /// Waits until no work of an identity runs, revoked or not, but not longer than a time.
    ///
    /// The scopes that the caller itself is in do not count, since they wait for this. It does not suspend work, and new
    /// work can begin meanwhile where the identity is not revoked. Where the task is cancelled it returns at once.
    ///
    /// - Parameters:
    ///   - identity: The identity.
    ///   - limit: The longest time to wait.
    /// - Returns: What is still there: ``WorkInFlight/isDrained``, or what runs on.
    public static func drain(_ identity: Identity, timeout limit: Duration) async -> WorkInFlight {
        let waiting = WaitingScopes(of: identity)
        defer { waiting.end() }
        let end = ContinuousClock.now + limit
        let wait = IdleWait(for: identity.spelling.record, until: end)
        while await wait.isOver() {
            let left = workInFlight(of: identity)
            // Else new work has begun since, or was counted and is about to be refused.
            if left.isDrained || ContinuousClock.now >= end { return left }
        }
        return workInFlight(of: identity)
    }

    /// Runs `operation`, a wipe, without the caller's own scopes in the count of what runs, since the caller waits for it.
    package static func whileCallerWaits<Value>(
        for identity: Identity,
        _ operation: nonisolated(nonsending) () async -> Value
    ) async -> Value {
        let waiting = WaitingScopes(of: identity)
        defer { waiting.end() }
        return await operation()
    }

    /// Has nobody readmit an identity until ``letGo(_:)``.
    package static func hold(_ identity: Identity) { RevokedNames.shared.hold(identity) }

    package static func letGo(_ identity: Identity) { RevokedNames.shared.letGo(identity) }
}

extension OngoingWork {
    /// The work that is open in this task, or on this thread, from the innermost outwards.
    fileprivate static var here: [OngoingWork] {
        guard let innermost = ThreadMirror.current().frame?.standing.ongoingHere else { return [] }
        return Array(sequence(first: innermost) { $0.outer })
    }

    /// Ends it: the thread exits in it, and no scope of it ever ends.
    static func endHere() { for work in here { work.end() } }
}

/// The scopes of the caller that are left out of the count, since it waits for the end of its own identity's work.
///
/// In the tally itself: counted beside it, a reader could see a caller that waits before its scope is counted, and miss
/// other work for that.
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
/// Counted work wakes it with its end (``WorkTally/isWaitedFor``). Work that was handed over to run once would pay for that with
/// each end, and wakes nobody: where nothing else is left, this looks again after longer and longer times.
struct IdleWait {
    /// Those who wait, by the address of the record of the name.
    ///
    /// The name is marked as waited for only while it has some: the mark changes inside this lock alone.
    private static let sleepers = Locked<[UInt: Set<Task<Void, Never>>]>([:])

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
        let sleeper = Task.detached { [end] () -> Void in try? await Task.sleep(until: end, clock: .continuous) }
        // In one word with the count: what ends from now on sees that it is waited for, or this sees that it has ended.
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

    /// Wakes all who wait for a name to look again: the last counted work of it has ended.
    @inline(never)
    static func wake(_ record: IdentityRecord) {
        let woken = sleepers.withLock { sleepers in
            record.change { $0.waitedFor(false) }
            return sleepers[record.address] ?? []
        }
        for sleeper in woken { sleeper.cancel() }
    }
}

/// The amount of work of an identity at one moment.
public struct WorkInFlight: Sendable {
    /// The identity of the work.
    public let identity: Identity
    /// The number of captures of it that can be restored: work that waits, and handlers, timers and items that may run again.
    ///
    /// Work that runs once counts here too until it begins. After a revocation all of it runs under nobody.
    public let captured: Int
    /// The number of its open scopes, and of running pieces of work that were handed over, besides those that a caller waits
    /// for.
    public let running: Int
    /// The running work, the longest first, where it is recorded (``RunningWork/isRecorded``); else empty.
    public let work: [RunningWork]

    /// Indicates whether none runs.
    public var isDrained: Bool { running == 0 }
}

extension WorkInFlight: CustomStringConvertible {
    /// `ada@contoso.com: 2 running, 7 captured`, and a line for each piece of work that is recorded.
    public var description: String {
        (["\(identity): \(running) running, \(captured) captured"] + work.map(\.description)).joined(separator: "\n")
    }
}
