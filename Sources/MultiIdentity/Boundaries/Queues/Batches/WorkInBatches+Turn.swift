import CMultiIdentity
import Dispatch
import Synchronization

// The execution of turns.
extension WorkInBatches {
    private enum End { case listIsEmpty, boundIsReached, queueIsSuspended, workNeedsBinding }

    /// Runs a turn; libdispatch calls it on the queue, once per request.
    func runTurn() {
        // The queue runs one turn after another; this informs the thread sanitizer, which may not know that of the queue.
        let address = Borrowed(self).address
        mi_tsan_acquire(address)
        defer { mi_tsan_release(address) }
        // On this turn's stack, so that each piece of work writes no memory that callers read and write.
        var position = position
        let limit = position.ran &+ UInt64(Self.bound)
        // One binding for all is made when the first piece of work needs one, if it can be overwritten in place.
        var end = run(from: &position, upTo: limit, stoppingToBind: BindingPlace.isHere)
        if end == .workNeedsBinding {
            end =
                BindingPlace.withPlace { run(from: &position, upTo: limit, in: $0) }
                ?? run(from: &position, upTo: limit, stoppingToBind: false)
        }
        self.position = position
        if owed != 0, position.ran >= owed { catchUp() }
        switch end {
        case .listIsEmpty, .workNeedsBinding: break
        case .boundIsReached: giveWay()
        case .queueIsSuspended: fallBehind()
        }
    }

    private func run(from position: inout Position, upTo limit: UInt64, stoppingToBind: Bool) -> End {
        run(from: &position, upTo: limit) { place in
            if stoppingToBind, place.pointee.needsBinding { return false }
            Self.run(place) { $0.run() }
            return true
        }
    }

    private func run(from position: inout Position, upTo limit: UInt64, in binding: BindingPlace) -> End {
        run(from: &position, upTo: limit) { place in
            Self.run(place) { $0.run(in: binding) }
            return true
        }
    }

    /// Walks the list until `runs` declines a piece.
    @inline(__always)
    private func run(
        from position: inout Position,
        upTo limit: UInt64,
        _ runs: (UnsafeMutablePointer<BatchedWork>) -> Bool
    ) -> End {
        while position.ran != limit {
            if position.ran == position.known, !findsMore(after: position.ran, &position.known) { return .listIsEmpty }
            if suspensions.load(ordering: .relaxed) > 0 { return .queueIsSuspended }
            if position.left == 0 { goOn(&position) }
            if !runs(position.place) { return .workNeedsBinding }
            position.place += 1
            position.left -= 1
            position.ran &+= 1
        }
        return .boundIsReached
    }

    /// Takes a piece of work and runs it.
    @inline(__always)
    private static func run(_ place: UnsafeMutablePointer<BatchedWork>, _ run: (borrowing BatchedWork) -> Void) {
        let work = place.move()
        run(work)
        // Outside its scope, and before the next one begins.
        work.end()
    }

    /// Checks for added work; if there is none, the next caller that adds work requests a turn.
    private func findsMore(after ran: UInt64, _ known: inout UInt64) -> Bool {
        var tally = Tally(word: self.tally.load(ordering: .acquiring))
        while ran == tally.added {
            let (isExchanged, found) = self.tally.compareExchange(
                expected: tally.word,
                desired: tally.withoutRoom,
                successOrdering: .relaxed,
                failureOrdering: .acquiring
            )
            if isExchanged { return false }
            tally.word = found
        }
        known = tally.added
        return true
    }

    /// Moves to the next chunk, if there is more to take.
    private func goOn(_ position: inout Position) {
        let done = position.chunk
        guard let next = done.next else { preconditionFailure("A batch was counted but not added.") }
        (position.chunk, position.place, position.left) = (next, next.places, next.capacity)
        done.next = nil
        if done.capacity == BatchChunk.smallest {
            spare.exchange(.passRetained(done), ordering: .acquiringAndReleasing)?.release()
        }
    }

    /// Handles a suspension in the middle of a batch: the rest has to wait, and what is in the queue has to wait for the rest.
    ///
    /// Under the lock: work already added may have successors in the queue, which have to wait for it; the successors of work
    /// added from now on come after the turn.
    private func fallBehind() {
        owed = incoming.withLock { _ in
            askForTurn()
            return Tally(word: tally.load(ordering: .relaxed)).added
        }
        isBehind.store(true, ordering: .relaxed)
    }

    private func catchUp() {
        owed = 0
        isBehind.store(false, ordering: .relaxed)
    }

    /// Lets other queues on the target run.
    ///
    /// Dispatch drains a queue until it is empty before its serial target runs anything else. A suspended queue leaves its
    /// target at the end of this turn, and comes back behind what waits there. Its own order does not change.
    private func giveWay() {
        guard Tally(word: tally.load(ordering: .relaxed)).added != position.ran, let target = target.withLock({ $0 })
        else {
            return
        }
        queue.suspend()
        target.async { [queue] in queue.resume() }
    }
}
