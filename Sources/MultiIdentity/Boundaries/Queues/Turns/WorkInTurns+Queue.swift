import Dispatch
import Synchronization

// The lines' side of the queue's methods.
extension WorkInTurns {
    /// Keeps work from beginning, also in pumps that run; call it after the queue is suspended.
    func noteSuspension() { suspensions.add(1, ordering: .relaxed) }

    /// Call it before the queue is resumed.
    func forgetSuspension() { suspensions.subtract(1, ordering: .relaxed) }

    func setTarget(_ target: DispatchQueue?) {
        let shared = WorkInBatches.shared(target)
        self.target.withLock { $0 = shared }
    }

    /// Hands over a closure of the common form, as the identity that is bound here.
    @inline(never)  // separate, since most queues have no such lines
    func async(_ work: @escaping @Sendable () -> Void, _ fileID: StaticString, _ line: UInt) {
        add(BoundaryCapture(at: .async, onto: queue, fileID, line), work)
    }

    private func add(_ captured: BoundaryCapture, _ work: @escaping @Sendable () -> Void) {
        add(.work(BatchedWork(work, captured)), for: captured.snapshot.identity)
    }

    /// Hands over a closure with all its options.
    func hand(_ work: @escaping @Sendable () -> Void, _ how: HandOver, _ captured: BoundaryCapture) {
        if waits(for: how.time, { [self] in hand(work, how.now, captured) }) { return }
        let identity = captured.snapshot.identity
        let isBarrier = how.flags.contains(.barrier)
        how.group?.enter()
        if how.qos == .unspecified, how.flags.subtracting(.barrier).isEmpty {
            add(.work(BatchedWork(work, captured, for: how.group)), for: identity, isBarrier: isBarrier)
        } else {
            let item = DispatchWorkItem(qos: how.qos, flags: how.flags, block: captured.wrapOnce(work))
            add(.work(BatchedWork(item: item, for: how.group)), for: identity, isBarrier: isBarrier)
        }
    }

    /// Hands over a work item, which runs with the identity of its creation, for the line of the identity that is bound here.
    @inline(never)  // the same
    func hand(_ item: DispatchWorkItem, for group: DispatchGroup?, at time: DueTime?) {
        hand(item, for: group, at: time, by: ThreadMirror.current().identity)
    }

    private func hand(_ item: DispatchWorkItem, for group: DispatchGroup?, at time: DueTime?, by identity: Identity?) {
        // `nonisolated(unsafe)`: a thread-safe object of libdispatch, which is not marked `Sendable` on Linux.
        nonisolated(unsafe) let item = item
        if waits(for: time, { [self] in hand(item, for: nil, at: nil, by: identity) }) { return }
        group?.enter()
        add(isConcurrent ? .item(item, for: group) : .work(BatchedWork(item: item, for: group)), for: identity)
    }

    /// Sets the number of places.
    func setWidth(_ width: Int) { resume { $0.width = width } }

    /// Gives back the place of work that was started and goes on.
    func startedHasEnded() { resume { $0.places -= 1 } }

    /// Returns a closure that hands a work item over, for the line of the identity that is bound here.
    func handing(_ item: DispatchWorkItem) -> @Sendable () -> Void {
        nonisolated(unsafe) let item = item  // the same
        let identity = ThreadMirror.current().identity
        return { [self] in hand(item, for: nil, at: nil, by: identity) }
    }

    /// Hands over by `handing` when the work is due, beside the queue, so that it takes its place in line then; returns false if it
    /// is due already.
    private func waits(for time: DueTime?, _ handing: @escaping @Sendable () -> Void) -> Bool {
        guard let time, !time.hasCome else { return false }
        HandOver(time: time).hand(handing, to: .global())
        return true
    }

    /// Runs `work` through `wait`, which is Dispatch's function, when the caller's turn has come.
    ///
    /// - Parameters:
    ///   - isBarrier: Whether the work runs alone.
    ///   - wait: Runs its argument on the queue; of a work item, it may run the item instead.
    ///   - work: The work.
    func sync(_ isBarrier: Bool, _ wait: @escaping (() -> Void) -> Void, _ work: () -> Void) {
        if !isConcurrent {
            // Dispatch reports this only if it comes to wait itself.
            dispatchPrecondition(condition: .notOnQueue(queue))
        } else if !isBarrier, DispatchQueue.getSpecific(key: key) == true {
            // The calling piece has a place, and pays for this.
            return wait(work)
        }
        let isBarrier = isBarrier && isConcurrent
        let (tenant, turn) = takeTurn(isBarrier)
        turn?.wait()
        var used: UInt64?
        var around = terms.clock?()
        wait {
            var time = terms.clock?()
            work()
            used = cost(since: &time)
        }
        giveBack(tenant, cost: used ?? cost(since: &around), endsHold: isBarrier)
    }

    /// Takes a place for the caller, or puts it in line; returns what then tells it about its turn.
    private func takeTurn(_ isBarrier: Bool) -> (FairLine.Tenant, DispatchSemaphore?) {
        struct Turn: @unchecked Sendable {
            // `@unchecked Sendable`: accessed under the lock; the caller only has the address.
            let tenant: FairLine.Tenant
            var semaphore: DispatchSemaphore?
            var isToAsk = false
        }
        let turn = withTenant(of: ThreadMirror.current().identity) { state, tenant in
            var turn = Turn(tenant: tenant)
            if !state.isHeld, state.places < state.width, state.line.waiting == 0 {
                state.line.begin(for: tenant)
                state.places += 1
                state.isHeld = isBarrier
            } else {
                let semaphore = DispatchSemaphore(value: 0)
                state.line.add(FairPiece.made(.caller(semaphore), isBarrier: isBarrier), to: tenant)
                turn.semaphore = semaphore
                turn.isToAsk = state.takesPlaceForPump()
            }
            return turn
        }
        if turn.isToAsk { askForPump() }
        return (turn.tenant, turn.semaphore)
    }
}
