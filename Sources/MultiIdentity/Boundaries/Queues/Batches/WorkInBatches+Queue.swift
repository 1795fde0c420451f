import Dispatch
import Synchronization

// What the queue's methods come down to.
extension WorkInBatches {
    /// Keeps work that has not begun from beginning, in a batch that runs too.
    ///
    /// Counted after the queue is suspended, and uncounted before it is resumed: a turn that sees a count, and asks for
    /// another, asks a suspended queue.
    func suspend() {
        queue.suspend()
        suspensions.add(1, ordering: .relaxed)
    }

    func resume() {
        suspensions.subtract(1, ordering: .relaxed)
        queue.resume()
    }

    func setTarget(_ target: DispatchQueue?) {
        let shared = Self.shared(target)
        self.target.withLock { $0 = shared }
    }

    /// Hands over a closure as most are.
    func async(_ work: @escaping @Sendable () -> Void, _ captured: BoundaryCapture) {
        add(BatchedWork(work, captured))
    }

    /// Hands over a closure with all that it can be handed over with.
    func async(
        _ group: DispatchGroup?,
        _ qos: DispatchQoS,
        _ flags: DispatchWorkItemFlags,
        _ work: @escaping @Sendable () -> Void,
        _ captured: BoundaryCapture
    ) {
        group?.enter()
        if qos == .unspecified, flags.isEmpty || flags == .barrier {
            add(BatchedWork(work, captured, for: group))
        } else {
            add(BatchedWork(item: DispatchWorkItem(qos: qos, flags: flags, block: captured.wrapOnce(work)), for: group))
        }
    }

    /// Hands over a work item, which runs as it was made to.
    func async(_ group: DispatchGroup?, _ item: DispatchWorkItem) {
        group?.enter()
        add(BatchedWork(item: item, for: group))
    }

    /// `work` for a place in the queue beside the turns: where the queue is behind it goes to the end of the list.
    func inTurn(_ work: @escaping @Sendable () -> Void, _ captured: BoundaryCapture) -> @Sendable () -> Void {
        { [self] in
            if isUpToDate { captured.restoreOnce(work) } else { async(work, captured) }
        }
    }

    /// The same for a work item.
    func inTurn(_ item: DispatchWorkItem) -> @Sendable () -> Void {
        // `nonisolated(unsafe)`: a thread-safe object of libdispatch, which on Linux lacks the word for it.
        nonisolated(unsafe) let item = item
        return { [self] in
            if isUpToDate { item.perform() } else { async(nil, item) }
        }
    }

    /// Waits for its place in the queue and runs `work` there; again and again, until the queue is not behind.
    func sync(_ work: () -> Void) {
        var hasRun = false
        repeat {
            queue.sync {
                guard isUpToDate else { return }
                hasRun = true
                work()
            }
        } while !hasRun
    }

    /// The same with flags.
    func sync(flags: DispatchWorkItemFlags, _ work: () -> Void) {
        // On a serial queue everything is a barrier.
        if flags.isEmpty || flags == .barrier { return sync(work) }
        var hasRun = false
        repeat {
            queue.sync(flags: flags) {
                guard isUpToDate else { return }
                hasRun = true
                work()
            }
        } while !hasRun
    }

    #if canImport(Darwin)
    /// The same on the queue's worker.
    func asyncAndWait(flags: DispatchWorkItemFlags = [], _ work: () -> Void) {
        var hasRun = false
        repeat {
            queue.asyncAndWait(flags: flags) {
                guard isUpToDate else { return }
                hasRun = true
                work()
            }
        } while !hasRun
    }
    #endif
}
