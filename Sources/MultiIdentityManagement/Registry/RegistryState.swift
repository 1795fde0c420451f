import MultiIdentity
import MultiIdentityPolicy

/// The position up to which a registry has announced a store's events, with the event at that position.
struct EventPosition: Sendable {
    private(set) var number: Int64
    private var last: AccountEvent?

    /// Creates the position after all events so far.
    init(_ transaction: any AccountTransaction) throws(ManagementError) {
        number = try transaction.lastEvent()
        last = try transaction.events(after: number &- 1, limit: 1).first  // a store may have any number
    }

    /// Returns the following events, each with its account's current record; `nil` if some were missed, or the store was restored.
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

/// The state of a registry in its own process: the announced events, the pending departures and more.
final class RegistryState: Sendable {
    /// The relation of the announced events to the store's.
    private enum Step { case inStep, loading, behind }

    private struct State {
        /// The position up to which events were announced; `nil` before the registry has started.
        var position: EventPosition?
        var step = Step.inStep
        var errors: [Int64: any Error] = [:]
        /// The start times of running requests, and the durations of ended ones by their events.
        var begun: [Identity: WallInstant] = [:]
        var durations: [Int64: Duration] = [:]
        var warned: Set<Identity> = []
        var hasEnded = false
        var isStarting = false
        /// The departures that are not stored yet, because the store failed.
        var owed: [Departure] = []
        /// The number of departures that are being stored now.
        var beingWritten = 0
        /// The accounts whose aliases could not be read after a possible change.
        var unread: Set<Identity> = []
        /// The latest registration made or read here, whose event may not be announced yet.
        var registered: Int64 = 0
        var wake: Promise<Void>?
        /// The configurations in force, by account.
        var configurations: [Identity: AppConfiguration] = [:]
        /// The aliases being added, with their accounts; they are in force before they are stored.
        var adding: [Identity: Identity] = [:]
        /// The number of running requests of the timers.
        var timers = 0
        /// The time until which this process admits work, if others wait for it.
        var presentUntil: ContinuousClock.Instant?
    }

    /// The name of this process in events and leases.
    let origin = "\(UInt64.random(in: .min ... .max))"
    let announcements = Announcements<AccountEvent>()
    let removals = Removals()
    private let state = Locked(State())
    /// Locked while new events are read, so that each is announced once and in order.
    private let reading = Locked(())

    func began(at position: EventPosition) {
        removals.begin(after: position.number)
        state.withLock { $0.position = $0.position ?? position }
    }

    var hasBegun: Bool { state.withLock { $0.position != nil } }

    /// Indicates whether events were missed, and the accounts have not been read again.
    var isBehind: Bool { state.withLock { $0.step != .inStep } }

    /// Records that all accounts were read after a position; with `nil`, that this failed and must be retried.
    func loaded(_ position: EventPosition?) {
        state.withLock { state in
            state.step = position == nil ? .behind : .inStep
            if let position { state.position = position }
        }
    }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// Stops all storing and announcing, as after the end of the process.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Records the life of an account that was registered or read here.
    func registered(_ life: Int64) { state.withLock { $0.registered = max($0.registered, life) } }

    /// The number of the last event that has certainly happened before now.
    var lastRegistered: Int64 { max(removals.followed, state.withLock { $0.registered }) }

    /// Indicates whether `start()` is running, so the program is not serving yet.
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

    /// Adds departures to store with the next transaction; each replaces an equal earlier one.
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

    /// Records which of the taken departures are stored; the others stay pending.
    func wrote(_ taken: [Departure], butFor left: [Departure]) {
        owe(left)
        state.withLock { $0.beingWritten -= taken.count }
    }

    func keep(_ error: any Error, ofEvent number: Int64) { state.withLock { $0.errors[number] = error } }

    /// Begins or, with `nil`, ends timing the request of an account.
    func times(_ identity: Identity, since begun: WallInstant?) { state.withLock { $0.begun[identity] = begun } }

    /// Keeps the duration of an account's request for the event that ends it, if the request is timed.
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

    /// Announces the events after the last announced one, and returns whether there may be more.
    ///
    /// If some were missed, none is announced until all accounts are read: `load` is called in order with the events, with the
    /// number of the last announced one, and calls ``loaded(_:)``.
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

    /// Records that an alias is being added to an account; with `nil`, that this has ended.
    func adds(_ name: Identity, to account: Identity?) { state.withLock { $0.adding[name] = account } }

    func namesBeingAdded(to account: Identity) -> [String] {
        state.withLock { state in state.adding.filter { $0.value == account }.map(\.key.caselessName) }
    }

    func isPresent(until end: ContinuousClock.Instant?) { state.withLock { $0.presentUntil = end } }

    var presentUntil: ContinuousClock.Instant? { state.withLock { $0.presentUntil } }

    /// Returns the promise of the next wake-up, which ends the timers' sleep early.
    func waitForWake() -> Promise<Void> {
        let promise = Promise<Void>()
        state.withLock { $0.wake = promise }
        return promise
    }

    func wake() { state.withLock { $0.wake }?.give(()) }

    /// Returns the number of requests that the timers may begin in addition to the running ones.
    func freeTimers(of configuration: ManagementConfiguration) -> Int {
        max(max(configuration.maxConcurrentRequests, 1) - state.withLock { $0.timers }, 0)
    }

    func timersBegan(_ count: Int) { state.withLock { $0.timers += count } }

    /// Records that a request of the timers ended; if the maximum was running, wakes the timers for another one.
    func timerEnded(_ configuration: ManagementConfiguration) {
        let wereAll = freeTimers(of: configuration) == 0
        state.withLock { $0.timers -= 1 }
        if wereAll { wake() }
    }
}
