import MultiIdentity
import MultiIdentityPolicy

/// The place in the events of a store up to which a registry has announced them, with the event that is there.
struct EventPosition: Sendable {
    private(set) var number: Int64
    private var last: AccountEvent?

    /// The place after all events so far.
    init(_ transaction: any AccountTransaction) throws(ManagementError) {
        number = try transaction.lastEvent()
        last = try transaction.events(after: number &- 1, limit: 1).first  // a store may have any number
    }

    /// The events that follow, each with what its account is now; `nil` where some were missed, or the store was put back.
    func following(_ limit: Int, in transaction: any AccountTransaction) throws(ManagementError) -> [AccountEvent]? {
        var events = try transaction.events(after: last == nil ? number : number &- 1, limit: limit + 1)
        if let last {
            guard let first = events.first, first.isSame(as: last) else { return nil }
            events.removeFirst()
        } else if events.isEmpty, try transaction.lastEvent() != number {
            return nil
        }
        for index in events.indices {
            guard events[index].number == number &+ 1 &+ Int64(index) else { return nil }
            events[index].record = try transaction.account(events[index].identity)
        }
        return events
    }

    mutating func pass(_ event: AccountEvent) {
        number = event.number
        last = event
        last?.record = nil
        last?.error = nil
    }
}

/// The knowledge of a registry in its own process: which events it has announced, and who was warned of.
final class RegistryState: Sendable {
    /// The relation of what was announced to the store's events.
    private enum Step { case inStep, loading, behind }

    private struct State {
        /// The place up to which events were announced; `nil` before the registry has started.
        var position: EventPosition?
        var step = Step.inStep
        var errors: [Int64: any Error] = [:]
        /// The moments when requests began, and the times that they took, by their events.
        var begun: [Identity: WallInstant] = [:]
        var durations: [Int64: Duration] = [:]
        var warned: Set<Identity> = []
        var hasEnded = false
        var isStarting = false
        /// The departures that the store did not take.
        var owed: [Departure] = []
        /// The number of those that are being written now.
        var beingWritten = 0
        /// The accounts whose other names could not be read when they may have changed.
        var unread: Set<Identity> = []
        /// The newest registration that was made or read here, of which the event can be one that is not announced yet.
        var registered: Int64 = 0
        var wake: Promise<Void>?
        /// The configurations in force, of those who have one.
        var configurations: [Identity: AppConfiguration] = [:]
        /// The names that are being added to accounts, in force before the store has them.
        var adding: [Identity: Identity] = [:]
        /// The number of requests that the timers make now.
        var timers = 0
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

    func began(at position: EventPosition) {
        removals.begin(after: position.number)
        state.withLock { $0.position = $0.position ?? position }
    }

    var hasBegun: Bool { state.withLock { $0.position != nil } }

    /// Indicates whether events were missed, and not all accounts were read since.
    var isBehind: Bool { state.withLock { $0.step != .inStep } }

    /// Takes note that all accounts were read after a place, or that this failed, and is to be tried again.
    func loaded(_ position: EventPosition?) {
        state.withLock { state in
            state.step = position == nil ? .behind : .inStep
            if let position { state.position = position }
        }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Has nothing more be written down or announced, as after the end of the process.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Takes note of the life of an account that was registered here, or read.
    func registered(_ life: Int64) { state.withLock { $0.registered = max($0.registered, life) } }

    /// The last event that came before now for certain.
    var lastRegistered: Int64 { max(removals.followed, state.withLock { $0.registered }) }

    /// Indicates whether the program has not begun to serve.
    var isStarting: Bool {
        get { state.withLock { $0.isStarting } }
        set { state.withLock { $0.isStarting = newValue } }
    }

    func isUnread(_ account: Identity) { state.withLock { _ = $0.unread.insert(account) } }

    func takeUnread() -> Set<Identity> {
        state.withLock { state in
            defer { state.unread = [] }
            return state.unread
        }
    }

    var isOwing: Bool { state.withLock { !$0.owed.isEmpty || $0.beingWritten > 0 } }

    /// Has a departure written with the next transaction, in place of the same one before.
    func owe(_ departures: [Departure]) {
        state.withLock { state in
            for one in departures {
                state.owed.removeAll { $0.isSame(as: one) }
                state.owed.append(one)
            }
        }
    }

    func takeOwed() -> [Departure] {
        state.withLock { state in
            defer { (state.owed, state.beingWritten) = ([], state.beingWritten + state.owed.count) }
            return state.owed
        }
    }

    /// Takes note of which of the departures that were taken are owed still.
    func wrote(_ taken: [Departure], butFor left: [Departure]) {
        owe(left)
        state.withLock { $0.beingWritten -= taken.count }
    }

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

    /// Returns whether this is the first warning about an account.
    func warns(of identity: Identity) -> Bool { state.withLock { $0.warned.insert(identity).inserted } }

    func forgetWarning(of identity: Identity) { state.withLock { _ = $0.warned.remove(identity) } }

    /// Announces the events after the last one that was announced, and says whether there can be more.
    ///
    /// Where some were missed none is announced before all accounts are read: `load` is called in their turn, with the place up
    /// to which they were announced, and calls ``loaded(_:)``.
    func notify(
        upTo limit: Int,
        _ events: (EventPosition) throws(ManagementError) -> [AccountEvent]?,
        orLoad load: @escaping @Sendable (Int64) -> Void
    ) throws(ManagementError) -> Bool {
        try reading.withLock { (_) throws(ManagementError) -> Bool in
            guard var position = state.withLock({ $0.step == .loading ? nil : $0.position }) else { return false }
            guard let read = try events(position) else {
                state.withLock { $0.step = .loading }
                announcements.add(.inTurn { [number = position.number] in load(number) })
                return false
            }
            for var event in read {
                (event.error, event.duration) = state.withLock { [number = event.number] state in
                    (state.errors.removeValue(forKey: number), state.durations.removeValue(forKey: number))
                }
                announcements.add(event)
                position.pass(event)
                state.withLock { [position] in $0.position = position }
            }
            return read.count >= limit
        }
    }

    func configuration(of identity: Identity) -> AppConfiguration? { state.withLock { $0.configurations[identity] } }

    func configure(_ identity: Identity, _ configuration: AppConfiguration?) {
        state.withLock { $0.configurations[identity] = configuration }
    }

    /// Takes note that a name is being added to an account, or that this is over.
    func adds(_ name: Identity, to account: Identity?) { state.withLock { $0.adding[name] = account } }

    func namesBeingAdded(to account: Identity) -> [String] {
        state.withLock { state in state.adding.filter { $0.value == account }.map(\.key.caselessName) }
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

    /// The number of requests that the timers may begin beside those that they make now.
    func freeTimers(of configuration: ManagementConfiguration) -> Int {
        max(max(configuration.maxConcurrentRequests, 1) - state.withLock { $0.timers }, 0)
    }

    func timersBegan(_ count: Int) { state.withLock { $0.timers += count } }

    /// Takes note that a request of the timers ended; where there were as many as may be, another one can be next.
    func timerEnded(_ configuration: ManagementConfiguration) {
        let wereAll = freeTimers(of: configuration) == 0
        state.withLock { $0.timers -= 1 }
        if wereAll { wake() }
    }
}
