import MultiIdentity
import MultiIdentityPolicy

/// The knowledge of a registry in its own process: which events it has announced, and who was warned of.
final class RegistryState: Sendable {
    private struct State {
        /// The number of the last event that was announced; `nil` before the registry has started.
        var announced: Int64?
        var errors: [Int64: any Error] = [:]
        /// The moments when requests that are timed began, and the times that they took, by their events.
        var begun: [Identity: WallInstant] = [:]
        var durations: [Int64: Duration] = [:]
        var warned: Set<Identity> = []
        var hasEnded = false
        var tidied: WallInstant?
        var wake: Promise<Void>?
        /// The tasks that tell the service that an account has left.
        var telling: [Identity: Task<Void, Never>] = [:]
        /// The configurations in force, of those who have one.
        var configurations: [Identity: AppConfiguration] = [:]
        /// The leases of the requests that the timers make now.
        var timers: Set<String> = []
        /// The moment up to which this process admits work, where others wait for it.
        var presentUntil: ContinuousClock.Instant?
    }

    /// Names this process in events and leases.
    let origin = "\(UInt64.random(in: .min ... .max))"
    let announcements = Announcements<AccountEvent>()
    let removals = Removals()
    private let state = Locked(State())
    /// Taken by who reads new events, so that each is announced once and in order.
    private let reading = Locked(())

    func began(after number: Int64) {
        removals.begin(after: number)
        state.withLock { $0.announced = $0.announced ?? number }
    }

    var hasBegun: Bool { state.withLock { $0.announced != nil } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Has nothing more be written down or announced, as after the end of the process.
    func end() { state.withLock { $0.hasEnded = true } }

    func keep(_ error: any Error, ofEvent number: Int64) { state.withLock { $0.errors[number] = error } }

    /// Times the request of an account that runs now, or does so no more.
    func times(_ identity: Identity, since begun: WallInstant?) { state.withLock { $0.begun[identity] = begun } }

    /// Keeps the time that the request of an account took, if one is timed that this event is the end of.
    func keepDuration(of identity: Identity, until now: WallInstant, ofEvent number: Int64) {
        state.withLock { state in
            if let begun = state.begun.removeValue(forKey: identity) {
                state.durations[number] = begun.duration(to: now)
            }
        }
    }

    /// Returns whether it is time to tidy up: at first, once an hour, and where the clock was set.
    func tidies(at now: WallInstant) -> Bool {
        state.withLock { state in
            if let tidied = state.tidied, tidied <= now, tidied.duration(to: now) < .seconds(3_600) { return false }
            state.tidied = now
            return true
        }
    }

    /// Returns whether this is the first warning about an account.
    func warns(of identity: Identity) -> Bool { state.withLock { $0.warned.insert(identity).inserted } }

    func forgetWarning(of identity: Identity) { state.withLock { _ = $0.warned.remove(identity) } }

    /// Announces the events after the last one that was announced, and says whether there can be more.
    func tell(
        upTo limit: Int,
        _ events: (Int64) throws(AccountStoreError) -> (events: [AccountEvent], last: Int64)
    ) throws(AccountStoreError) -> Bool {
        try reading.withLock { (_) throws(AccountStoreError) -> Bool in
            let told = state.withLock { $0.announced }
            let read = try events(told ?? .max)
            guard let told else {
                // Before the start nothing is announced of earlier processes.
                began(after: read.last)
                return false
            }
            for var event in read.events where event.number > told {
                (event.error, event.duration) = state.withLock { [number = event.number] state in
                    (state.errors.removeValue(forKey: number), state.durations.removeValue(forKey: number))
                }
                announcements.add(event)
                state.withLock { [number = event.number] in $0.announced = number }
            }
            return read.events.count >= limit
        }
    }

    func configuration(of identity: Identity) -> AppConfiguration? { state.withLock { $0.configurations[identity] } }

    func configure(_ identity: Identity, _ configuration: AppConfiguration?) {
        state.withLock { $0.configurations[identity] = configuration }
    }

    func isPresent(until end: ContinuousClock.Instant?) { state.withLock { $0.presentUntil = end } }

    var presentUntil: ContinuousClock.Instant? { state.withLock { $0.presentUntil } }

    /// The wake-ups that the timers wait for beside the time.
    func waitForWake() -> Promise<Void> {
        let promise = Promise<Void>()
        state.withLock { $0.wake = promise }
        return promise
    }

    func wake() { state.withLock { $0.wake }?.give(()) }

    /// Has `tell` make the task that tells the service of an account, and notes it until ``hasTold(of:)``.
    func tells(of identity: Identity, _ tell: () -> Task<Void, Never>) {
        state.withLock { state in state.telling[identity] = tell() }
    }

    func hasTold(of identity: Identity) { state.withLock { _ = $0.telling.removeValue(forKey: identity) } }

    /// The task that tells the service now that an account has left.
    func telling(of identity: Identity) -> Task<Void, Never>? { state.withLock { $0.telling[identity] } }

    /// The number of requests that the timers may begin beside those that they make now.
    func freeTimers(of options: AccountRegistryOptions) -> Int {
        max(max(options.requestsAtOnce, 1) - state.withLock { $0.timers.count }, 0)
    }

    func timersBegan(_ records: [AccountRecord]) {
        state.withLock { state in for record in records { if let lease = record.lease { state.timers.insert(lease) } } }
    }

    /// Takes note that a request of the timers ended; where there were as many as may be, another one can be next.
    func timersEnded(_ record: AccountRecord, _ options: AccountRegistryOptions) {
        let wereAll = freeTimers(of: options) == 0
        state.withLock { state in if let lease = record.lease { state.timers.remove(lease) } }
        if wereAll { wake() }
    }
}
