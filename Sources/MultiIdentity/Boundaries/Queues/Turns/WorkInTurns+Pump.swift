import CMultiIdentity
import Dispatch
import Synchronization

// The execution of pieces.
extension WorkInTurns {
    private enum Next {
        case piece(FairLine.Piece, FairLine.Tenant)
        /// The piece has the pump's place from now on; the pump may have got another one.
        case passesOn(FairLine.Piece, FairLine.Tenant, goesOn: Bool)
        case nothing, isSuspended, boundIsReached
    }

    /// What a pump has done.
    private struct Progress {
        /// True until it has taken its first piece.
        var begins = true
        /// The piece that has just run.
        var ran: FairLine.Tenant?
        var cost: UInt64 = 0
        /// True if that piece goes on, in the pump's place.
        var goesOn = false
        /// What it may still do.
        var pieces = WorkInTurns.bound
        var time = WorkInTurns.longest
    }

    /// Runs pieces; libdispatch calls it on the queue, once per request.
    func runPump() {
        var progress = Progress()
        var time = terms.clock?()
        while true {
            switch next(&progress) {
            case .piece(let piece, let tenant):
                progress.goesOn = !Self.run(piece)
                (progress.ran, progress.cost) = (tenant, cost(since: &time))
                progress.pieces -= 1
                if time != nil { progress.time -= min(progress.time, progress.cost) }
            case .passesOn(let piece, let tenant, let goesOn):
                passOn(piece, tenant)
                if !goesOn { return }
            case .nothing: return
            case .isSuspended: return askForPump()
            case .boundIsReached:
                // Dispatch drains a queue until it is empty before its serial target runs anything else.
                guard let target = target.withLock({ $0 }) else { return askForPump() }
                return target.async { [self] in askForPump() }
            }
        }
    }

    /// Pays for what has just run, and takes the next piece.
    private func next(_ progress: inout Progress) -> Next {
        state.withLock(of: self) { state in
            if progress.begins {
                state.requested -= 1
                progress.begins = false
            }
            if let ran = progress.ran.take() { state.line.end(of: ran, cost: progress.cost) }
            if progress.goesOn {
                progress.goesOn = false
                if !state.takesPlace() { return .nothing }
            }
            guard !state.isHeld, state.line.waiting > 0, state.places <= state.width else {
                state.places -= 1
                return .nothing
            }
            let isSuspended = suspensions.load(ordering: .relaxed) > 0
            if isSuspended || progress.pieces == 0 || progress.time == 0 {
                state.requested += 1
                return isSuspended ? .isSuspended : .boundIsReached
            }
            guard let (piece, tenant) = state.line.take() else {
                preconditionFailure("A piece was counted but not added.")
            }
            if piece.pointee.runsInPump { return .piece(piece, tenant) }
            state.isHeld = piece.pointee.holds
            return .passesOn(piece, tenant, goesOn: state.takesPlace())
        }
    }

    /// Runs a piece, and releases it outside its scope and before the next one begins; returns false if it goes on elsewhere.
    @discardableResult
    private static func run(_ piece: FairLine.Piece) -> Bool {
        switch FairPiece.taken(piece) {
        case .work(let work):
            work.run()
            work.end()
            return true
        case .started(let start): return start()
        default: return true
        }
    }

    /// Passes this pump's place to a piece that does not run in a pump.
    private func passOn(_ piece: FairLine.Piece, _ tenant: FairLine.Tenant) {
        nonisolated(unsafe) let (piece, tenant) = (piece, tenant)
        let task = mi_dispatch_for_itself_begin()
        defer { mi_dispatch_for_itself_end(task) }
        if piece.pointee.runsAsBarrier {
            return queue.async(flags: .barrier) { [self] in
                var time = terms.clock?()
                Self.run(piece)
                giveBack(tenant, cost: cost(since: &time), endsHold: true)
            }
        }
        switch FairPiece.taken(piece) {
        case .caller(let turn): turn.signal()
        case .item(let item, let group): passOn(item, tenant, group)
        default: break
        }
    }

    /// Passes a work item to Dispatch, which knows whether it is a barrier.
    ///
    /// Until it has begun, it holds all other work: a piece behind it in Dispatch's queue runs at once, unless it is a barrier.
    /// It pays for the time that it takes, since its thread is unknown.
    private func passOn(_ item: DispatchWorkItem, _ tenant: FairLine.Tenant, _ group: DispatchGroup?) {
        nonisolated(unsafe) let tenant = tenant
        let (runs, begin) = (DispatchGroup(), mi_continuous_nanoseconds())
        queue.async(group: runs, execute: item)
        queue.async { [self] in endHold() }
        runs.notify(queue: .global()) { [self] in
            let time = UInt64(max(0, mi_continuous_nanoseconds() - begin))
            giveBack(tenant, cost: terms.clock == nil ? FairTerms.priceOfPiece : time)
            group?.leave()
        }
    }

    /// Returns what has been used since `time`, which becomes the present.
    func cost(since time: inout UInt64?) -> UInt64 {
        guard let begin = time, let now = terms.clock?() else { return FairTerms.priceOfPiece }
        time = now
        return now > begin ? now - begin : 0
    }
}
