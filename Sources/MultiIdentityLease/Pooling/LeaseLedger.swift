import MultiIdentity

/// The ledger of a pool: which resources are idle, which are leased by which identity, and which callers wait.
///
/// It has one lock, under which it calls no foreign code: not the pool's closures, not the clock, and no waiter.
final class LeaseLedger: Sendable {
    struct State {
        var entries: [Entry] = []
        /// The free places in `entries`.
        var free: [Int] = []
        /// The places of idle resources.
        ///
        /// The last one that came back is leased first, so that unneeded ones stay in front.
        var idle: [Int] = []
        var line = FairLine()
        /// All waiters with a timeout, ordered by deadline.
        var expiring = LinkedQueue<LeaseWaiter>()
        /// The callers that wait until no resource is open.
        var drainers: [LeaseWaiter] = []
        /// The number of resources that are open or being opened; `filling` counts those being opened as spares.
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
    /// Opens a resource; `nil` if another library's pool does.
    let opener: (@Sendable () async throws -> MadeResource)?
    let liveness: LivenessCheck?
    let observer: (@Sendable (PoolEvent) -> Void)?
    /// True if the time of each lease's beginning and end matters; otherwise the clock is not read.
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

    /// Takes a resource or place if one is available, or puts the waiter in line and returns `nil`.
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
            // A caller that keeps one lease while it waits for another could deadlock with others that do the same.
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

    /// Ends a wait without a grant.
    func cancel(_ waiter: LeaseWaiter, _ error: any Error) {
        let (wakeUp, isLast) = state.withLock { state -> (LeaseWaiter.WakeUp?, Bool) in
            state.gaveUp(waiter)
            return (waiter.claim(.failure(error)), state.alarm != nil && state.expiring.isEmpty)
        }
        wakeUp?()
        if isLast { arm() }
    }

    /// Passes a clean resource to the next in line, or makes it idle.
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
                // In one step with the entry, which records the lease.
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

    /// Closes a resource, and lets the next in line open another.
    ///
    /// If the resource is still in use, its last user does both: until then it is open and counts.
    func discard(_ slot: LeaseSlot, _ reason: PoolEvent.ClosingReason) {
        if isWatched { noteReturn(slot, clock.now()) }
        state.withLock { $0.entries[slot.index].end() }
        if slot.closeWhenLeft() { vacate(slot.index) }
        observer?(.closed(reason))
    }

    /// Ends a use of a resource through a reference.
    func leave(_ slot: LeaseSlot) { if slot.leave() { vacate(slot.index) } }

    /// Frees a place: its resource was closed, or not opened.
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
