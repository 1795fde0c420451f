import MultiIdentity

/// The book of a pool: which resource is idle, which is leased by whom, and who waits.
///
/// One lock, under which nothing of anybody else is called: not the pool's closures, not the clock, nor those that wait.
final class LeaseLedger: Sendable {
    struct State {
        var entries: [Entry] = []
        /// Places of `entries` that are free.
        var free: [Int] = []
        /// Places of those that are idle, of which the last that came back is leased first: those that are not needed stay in front.
        var idle: [Int] = []
        var line = FairLine()
        /// All that wait with a limit, in the order of their deadlines.
        var expiring = LinkedQueue<LeaseWaiter>()
        /// Those that wait until nothing is open.
        var drainers: [LeaseWaiter] = []
        /// The number that are open, or being opened; and of these, those that are opened to be idle.
        var open = 0
        var filling = 0
        var backoff = OpeningBackoff()
        var isShutDown = false
        var alarm: Alarm?
        var alarms = 0
        var nextIdleLook: Duration?
    }

    let limits: PoolLimits
    let clock: LeaseClock
    /// Opens a resource; `nil` where another pool does.
    let opener: (@Sendable () async throws -> MadeResource)?
    let liveness: LivenessCheck?
    let observer: (@Sendable (PoolEvent) -> Void)?
    /// True if it matters when each lease begins and ends: else that is not even asked.
    let isWatched: Bool
    let state = Locked(State())
    private let watcher = RevokedIdentities()

    init(
        _ limits: PoolLimits,
        _ clock: LeaseClock,
        opener: (@Sendable () async throws -> MadeResource)? = nil,
        liveness: LivenessCheck? = nil,
        observer: (@Sendable (PoolEvent) -> Void)? = nil
    ) {
        self.limits = limits.checked
        self.clock = clock
        self.opener = opener
        self.liveness = liveness
        self.observer = observer
        isWatched = liveness != nil || observer != nil || limits.minIdle > 0
        watcher.watch { [weak self] in self?.revoke($0) }
    }

    deinit {
        watcher.stop()
        let (entries, alarm) = state.withLock { ($0.entries, $0.alarm) }
        alarm?.task?.cancel()
        for entry in entries { _ = entry.slot?.closeWhenLeft() }
    }

    /// Takes an idle resource, if there is one.
    func takeIdle(for request: LeaseRequest) -> LeaseSlot? {
        state.withLock { state in state.idle.popLast().flatMap { state.entries[$0].begin(request) } }
    }

    /// Takes what is there at once, or gets in line; `nil` where the waiter has to be waited for.
    func take(_ waiter: LeaseWaiter) throws(LeaseError) -> LeaseGrant? {
        let (now, request) = (clock.now(), waiter.request)
        let holder = request.holder
        let taken = state.withLock { state -> Result<LeaseGrant?, Refusal> in
            if state.isShutDown { return .failure(.shutDown) }
            if let index = state.idle.popLast() {
                return .success(state.lease(index, to: request, now).map { .slot($0) })
            }
            if state.line.isEmpty, let index = state.reserve(for: request, now, limits) {
                return .success(.place(index))
            }
            state.noteHolders(now)
            // A lease in hand while waiting for another could make each of several wait for the others.
            if state.entries.contains(where: { $0.holder == holder }) {
                return .failure(.wouldWait(state.report(limits, now)))
            }
            if state.line.count >= limits.maxWaiters { return .failure(.tooMany(state.report(limits, now))) }
            state.line.append(waiter)
            state.expire(waiter)
            return .success(nil)
        }
        fillIdle()
        switch taken {
        case .failure(let refusal): throw refusal.error
        case .success(let grant):
            if case nil = grant { arm(for: waiter.deadline) }
            return grant
        }
    }

    /// Ends a wait that nobody has granted.
    func cancel(_ waiter: LeaseWaiter, _ error: any Error) {
        let (wakeUp, isLast) = state.withLock { state -> (LeaseWaiter.WakeUp?, Bool) in
            state.gaveUp(waiter)
            return (waiter.claim(.failure(error)), state.alarm != nil && state.expiring.isEmpty)
        }
        wakeUp?()
        if isLast { arm() }
    }

    /// Hands a clean resource on: to the next in line, else it is idle.
    func release(_ slot: LeaseSlot) {
        let now = isWatched ? clock.now() : .zero
        if isWatched { noteReturn(slot, now) }
        let isIdle = state.withLock { state in
            if state.isShutDown || !state.line.isEmpty || slot.isRetired { return false }
            state.rest(slot.index, now)
            return true
        }
        if !isIdle { handOn(slot) }
    }

    @inline(never)
    private func handOn(_ slot: LeaseSlot) {
        let now = clock.now()
        let next = state.withLock { state -> Next in
            state.entries[slot.index].end()
            if state.isShutDown { return .closed(.shutDown) }
            if slot.isRetired { return .closed(.retired) }
            while let waiter = state.line.popFirst() {
                state.settled(waiter)
                // In one step with the entry that names it.
                if let wakeUp = waiter.claim(.success(.slot(slot))) {
                    _ = state.lease(slot.index, to: waiter.request, now)
                    state.entries[slot.index].restedAt = now
                    return .granted(wakeUp, isLast: state.expiring.isEmpty)
                }
            }
            state.rest(slot.index, now)
            return .idle
        }
        switch next {
        case .idle: break
        case .closed(let reason): discard(slot, reason)
        case .granted(let wakeUp, let isLast):
            wakeUp()
            if isLast { arm() }
        }
    }

    /// Closes a resource, and lets the next in line open another one; where somebody still uses it, the last user
    /// does both, since until then it is open and counts.
    func discard(_ slot: LeaseSlot, _ reason: PoolEvent.ClosingReason) {
        if isWatched { noteReturn(slot, clock.now()) }
        state.withLock { $0.entries[slot.index].end() }
        if slot.closeWhenLeft() { vacate(slot.index) }
        observer?(.closed(reason))
    }

    /// Ends a use of a resource past its lease's handle.
    func leave(_ slot: LeaseSlot) { if slot.leave() { vacate(slot.index) } }

    /// Frees a place: what was to be opened there was not, or is closed.
    func vacate(_ index: Int) {
        let now = opener == nil ? .zero : clock.now()
        let wakeUps = state.withLock { state -> [LeaseWaiter.WakeUp] in
            state.filled(index)
            state.entries[index] = Entry()
            state.free.append(index)
            state.open -= 1
            if state.open == 0 {
                state.nextIdleLook = nil
                let drainers = state.drainers
                for waiter in drainers { state.gaveUp(waiter) }
                if !drainers.isEmpty { return drainers.compactMap { $0.claim(.success(.done)) } }
            }
            return state.grantPlaces(now, limits)
        }
        for wakeUp in wakeUps { wakeUp() }
        if opener == nil { return }
        fillIdle()
        arm()
    }

    private enum Next {
        case idle
        case closed(PoolEvent.ClosingReason)
        case granted(LeaseWaiter.WakeUp, isLast: Bool)
    }
}
