import MultiIdentity

/// The book of a pool: which resource is idle, which is leased by whom, and who waits.
///
/// One lock, under which nothing of anybody else is called: not the pool's closures, nor those that wait.
final class LeaseLedger: Sendable {
    struct Limits: Sendable {
        var resources: Int
        var waiting: Int
        var wait: Duration?
        var idle: Duration?
    }

    struct Entry {
        var slot: LeaseSlot?
        var lessee: Identity?
        /// The task or thread that leases; 0 where nobody does.
        var holder: UInt = 0
    }

    struct Idle {
        let index: Int
        let since: Duration
    }

    struct State {
        var entries: [Entry] = []
        /// Places of `entries` that are free.
        var free: [Int] = []
        /// The last that came back is the first to go out: those that are not needed grow old at the front.
        var idle = Queue<Idle>()
        var line = FairLine()
        /// All that wait with a limit, in the order of their deadlines.
        var expiring = Queue<LeaseWaiter>()
        /// The number that are open, or being opened.
        var open = 0
        var isShutDown = false
        var watchesWaits = false
        var watchesIdle = false
    }

    let limits: Limits
    let clock: LeaseClock
    let state = Locked(State())
    private let watcher = RevokedIdentities()

    init(_ limits: Limits, _ clock: LeaseClock) {
        self.limits = limits
        self.clock = clock
        watcher.watch { [weak self] in self?.revoke($0) }
    }

    deinit {
        watcher.stop()
        for entry in state.withLock({ $0.entries }) { _ = entry.slot?.closeWhenLeft() }
    }

    /// Takes what is there at once; `nil` where one has to wait.
    func take(for lessee: Identity, _ holder: UInt) throws(LeaseError) -> LeaseGrant? {
        let taken = state.withLock { state -> Result<LeaseGrant?, LeaseError> in
            if state.isShutDown { return .failure(Self.shutDown) }
            if let idle = state.idle.popLast() {
                return .success(state.lease(idle.index, to: lessee, holder).map { .slot($0) })
            }
            if state.open < limits.resources {
                state.open += 1
                return .success(.place(state.place(for: lessee, holder)))
            }
            // A lease in hand while waiting for another could make each of several wait for the others.
            if state.entries.contains(where: { $0.holder == holder }) { return .failure(Self.wouldWait) }
            return .success(nil)
        }
        return try taken.get()
    }

    /// Takes an idle resource, if there is one.
    func takeIdle(for lessee: Identity, _ holder: UInt) -> LeaseSlot? {
        state.withLock { state in state.idle.popLast().flatMap { state.lease($0.index, to: lessee, holder) } }
    }

    /// Gets in line; a grant can come before this returns.
    func enqueue(_ waiter: LeaseWaiter) throws(LeaseError) {
        let outcome = state.withLock { state -> Result<LeaseGrant?, LeaseError> in
            if state.isShutDown { return .failure(Self.shutDown) }
            // What came free since the caller looked.
            if let idle = state.idle.popLast() {
                return .success(state.lease(idle.index, to: waiter.lessee, waiter.holder).map { .slot($0) })
            }
            if state.open < limits.resources {
                state.open += 1
                return .success(.place(state.place(for: waiter.lessee, waiter.holder)))
            }
            if state.line.count >= limits.waiting { return .failure(Self.tooMany(limits.waiting)) }
            state.line.append(waiter)
            if waiter.deadline != nil { state.expire(waiter) }
            return .success(nil)
        }
        switch outcome {
        case .success(nil): break
        case .success(let grant?):
            if !waiter.settle(.success(grant)) {
                goneUncounted()
                takeBack(grant)
            }
        case .failure(let error):
            if !waiter.settle(.failure(error)) { goneUncounted() }
            throw error
        }
        watchWaits()
    }

    /// Notes that one who never came to be in line was counted as gone from it, or will be.
    private func goneUncounted() { state.withLock { $0.line.takenWasGone() } }

    /// Takes back what was granted to somebody who had gone by then.
    private func takeBack(_ grant: LeaseGrant) {
        switch grant {
        case .slot(let slot): release(slot)
        case .place(let index): vacate(index)
        }
    }

    /// Ends a wait that nobody has granted.
    func cancel(_ waiter: LeaseWaiter, _ error: any Error) {
        guard let wakeUp = waiter.claim(.failure(error)) else { return }
        // First of all: whoever is woken may ask who waits, or wait again.
        state.withLock { $0.line.oneIsGone() }
        wakeUp()
    }

    /// Puts what was opened into its place.
    func fill(_ index: Int, with made: MadeResource) -> LeaseSlot {
        let slot = LeaseSlot(made, at: index)
        state.withLock { $0.entries[index].slot = slot }
        return slot
    }

    /// Hands a clean resource on: to the next in line, else it is idle.
    func release(_ slot: LeaseSlot) {
        let now = limits.idle == nil ? .zero : clock.now()
        let isIdle = state.withLock { state in
            if state.isShutDown || !state.line.isEmpty { return false }
            state.rest(slot.index, since: now)
            return true
        }
        if !isIdle { return handOn(slot, now) }
        if limits.idle != nil { watchIdle() }
    }

    @inline(never)
    private func handOn(_ slot: LeaseSlot, _ now: Duration) {
        let next = state.withLock { state -> Next in
            if state.isShutDown { return .closed }
            if let (waiter, wakeUp) = state.next(.slot(slot)) {
                _ = state.lease(slot.index, to: waiter.lessee, waiter.holder)
                return .granted(wakeUp)
            }
            state.rest(slot.index, since: now)
            return .idle
        }
        switch next {
        case .idle: watchIdle()
        case .closed: discard(slot)
        case .granted(let wakeUp): wakeUp()
        }
    }

    /// Closes a resource, and lets the next in line open another one; where somebody still uses it, the last user
    /// does both, since until then it is open and counts.
    func discard(_ slot: LeaseSlot) {
        state.withLock { state in
            state.entries[slot.index].lessee = nil
            state.entries[slot.index].holder = 0
        }
        if slot.closeWhenLeft() { vacate(slot.index) }
    }

    /// Ends a use of a resource past its lease's handle.
    func leave(_ slot: LeaseSlot) { if slot.leave() { vacate(slot.index) } }

    /// Frees a place: what was to be opened there was not, or is closed.
    func vacate(_ index: Int) {
        let wakeUp = state.withLock { state -> LeaseWaiter.WakeUp? in
            if !state.isShutDown, let (waiter, wakeUp) = state.next(.place(index)) {
                state.entries[index] = Entry(slot: nil, lessee: waiter.lessee, holder: waiter.holder)
                return wakeUp
            }
            state.entries[index] = Entry()
            state.free.append(index)
            state.open -= 1
            return nil
        }
        wakeUp?()
    }

    private enum Next {
        case idle, closed
        case granted(LeaseWaiter.WakeUp)
    }
}

extension LeaseLedger.State {
    /// Grants something to the next in line that still waits.
    ///
    /// In one step with the entry that names it: one that had given up in between would stand there as holding a lease, and its task's
    /// address may be another's by then.
    mutating func next(_ grant: LeaseGrant) -> (LeaseWaiter, LeaseWaiter.WakeUp)? {
        while let waiter = line.popFirst() {
            if let wakeUp = waiter.claim(.success(grant)) { return (waiter, wakeUp) }
            line.takenWasGone()
        }
        return nil
    }

    mutating func lease(_ index: Int, to lessee: Identity, _ holder: UInt) -> LeaseSlot? {
        entries[index].lessee = lessee
        entries[index].holder = holder
        return entries[index].slot
    }

    /// Has a resource be idle, and nobody's.
    mutating func rest(_ index: Int, since now: Duration) {
        entries[index].lessee = nil
        entries[index].holder = 0
        idle.append(LeaseLedger.Idle(index: index, since: now))
    }

    mutating func expire(_ waiter: LeaseWaiter) {
        expiring.append(waiter)
        // Those that were served are let go of once they are the larger part.
        if expiring.count > 1_024, expiring.count > line.count * 2 { expiring.removeAll(where: \.isSettled) }
    }

    mutating func place(for lessee: Identity, _ holder: UInt) -> Int {
        let entry = LeaseLedger.Entry(slot: nil, lessee: lessee, holder: holder)
        if let index = free.popLast() {
            entries[index] = entry
            return index
        }
        entries.append(entry)
        return entries.count - 1
    }
}

extension LeaseLedger {
    static let shutDown = LeaseError(
        .shutDown,
        "The pool was shut down. Let work end before the pool does, and begin none afterwards."
    )

    static let wouldWait = LeaseError(
        .wouldWaitForItself,
        """
        This task, or thread, has a lease of the pool already, and no other resource is free: it would wait for itself, or for \
        others that wait for it. Pass the outer lease on, or have the pool open more resources than the work nests.
        """
    )

    static func tooMany(_ limit: Int) -> LeaseError {
        LeaseError(
            .tooManyWaiting,
            "\(limit) wait for a resource already, as many as may. Send the caller away, or raise the limit on waiting."
        )
    }

    func waitedTooLong(_ limit: Duration) -> LeaseError {
        LeaseError(
            .waitedTooLong,
            "No resource became free within \(limit). Try again later, have leases end sooner, or open more resources."
        )
    }
}
