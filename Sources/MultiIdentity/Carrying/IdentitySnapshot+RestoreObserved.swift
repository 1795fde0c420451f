import CMultiIdentity

// What a restore does besides, while anything is in use that goes along with the identity.
extension IdentitySnapshot {
    /// Begins work that was captured with these bits, where it may go the way of production here.
    ///
    /// That is on a worker with nothing bound, so that nothing has to be looked at but the frame.
    @inline(__always)
    static func begins(_ bits: UInt) -> Bool {
        let features = BindingFeatures.inUse
        guard features.isDisjoint(with: .beyondProduction), ThreadMirror.isClear else { return false }
        let captured = bits ^ ThreadMirror.bitsOfNothing
        // Captured while revocation was off, too: it may be on again before this ends.
        if let ongoing = ongoing(captured) { return OngoingWork.handedOverBegins(from: ongoing) }
        return !features.contains(.revocation) || ThreadMirror.snapshot(of: captured).isOfNobodyAlone
    }

    /// Runs `work` that has begun as the snapshot of these bits, whose reference it takes over, with all that its frame holds besides.
    ///
    /// - Parameter isCounted: True if its box counts it for its identity, until it begins.
    // By the bits: the binding has their reference meanwhile, and one more would cost as much as all else here.
    @inline(__always)
    static func runBegun(takingOver bits: UInt, at boundary: IdentityBoundary, isCounted: Bool, _ work: () -> Void) {
        let (features, captured) = (BindingFeatures.inUse, bits ^ ThreadMirror.bitsOfNothing)
        let (frame, ongoing) = (ThreadMirror.frame(of: captured), ongoing(captured))
        if features.contains(.counters) { countFirst(captured, frame, at: boundary) }
        let ticket = RunningWork.enter(captured, by: boundary, features)
        if isCounted { ongoing?.read { $0.captureEnds() } }
        let outer = ThreadMirror.enterWork(bits)
        if features.contains(.companions), let frame {
            frame.read { $0.bindCompanions(for: work) }
        } else {
            work()
        }
        // Before the binding lets go of what keeps them.
        ticket?.leave()
        ThreadMirror.leaveWork(outer)
        if ongoing != nil { OngoingWork.handedOverEnds() }
    }

    /// How often a capture is restored; what is restored once stops counting as captured when that begins, since the thread can
    /// exit in it.
    enum Use {
        case again, once
        /// Its box counts it (``WorkBox``), and no ``CapturedWork`` does.
        case onceCounted
    }

    /// Runs `work` on any other way.
    @inline(never)
    static func runFully(takingOver bits: UInt, at boundary: IdentityBoundary, as use: Use, _ work: () -> Void) {
        IdentitySnapshot(takingOver: bits).restoreFully(at: boundary, as: use, work)
    }

    private static func ongoing(_ captured: UInt) -> Borrowed<OngoingWork>? {
        ThreadMirror.frame(of: captured)?.read { $0.ongoing }
    }

    /// Counts a restore where nothing is bound.
    private static func countFirst(_ captured: UInt, _ frame: Borrowed<BindingFrame>?, at boundary: IdentityBoundary) {
        let isUnset = frame?.read { $0.origin.contents.identity == nil } ?? (captured == 0)
        CarryCounters.count(isUnset ? .same : .swapped, boundary)
    }

    private func restoreFully(at boundary: IdentityBoundary, as use: Use, _ work: () -> Void) {
        let features = BindingFeatures.inUse
        let (snapshot, ongoing) = admitted(features).begun(features, at: boundary)
        defer { ongoing?.end() }
        if use != .again { frame?.endCapture(isCounted: use == .onceCounted) }
        let isSame = ThreadMirror.shows(snapshot)
        snapshot.countRestore(at: boundary, features)
        let ticket = RunningWork.enter(ThreadMirror.bits(of: snapshot), by: boundary)
        defer { ticket?.leave() }
        let sentinel = PoolSentinel(for: snapshot, at: boundary, features)
        sentinel.watch("found", boundary: boundary) {
            if isSame { return snapshot.bindCompanions(for: work) }
            snapshot.bindForWork {
                snapshot.bindCompanions { sentinel.watch("was given", boundary: boundary, work) }
            }
        }
    }

    /// Restores this around work that was given a snapshot.
    @usableFromInline
    func restoreObserved(_ work: () -> Void) { restoreObserved(at: .snapshot, work) }

    @inline(never)
    func restoreObserved(at boundary: IdentityBoundary, as use: Use = .again, _ work: () -> Void) {
        let bits = retainedBits()
        // Such work may be run by hand, and so in an `isolated deinit`, where nobody sees the worker's lasting binding.
        if !ThreadMirror.isHidden, Self.begins(bits) {
            Self.runBegun(takingOver: bits, at: boundary, isCounted: false, work)
        } else {
            Self.runFully(takingOver: bits, at: boundary, as: use, work)
        }
    }

    /// Restores this around asynchronous work, on the caller's actor.
    @usableFromInline
    nonisolated(nonsending) func restoreObserved(_ work: nonisolated(nonsending) () async -> Void) async {
        let features = BindingFeatures.inUse
        let (snapshot, ongoing) = admitted(features).begun(features, at: .snapshot)
        defer { ongoing?.end() }
        snapshot.countRestore(at: .snapshot, features)
        let ticket = RunningWork.enter(ThreadMirror.bits(of: snapshot), by: .snapshot)
        defer { ticket?.leave() }
        await snapshot.bind { () async -> Void in
            guard let companions = snapshot.frame?.origin.contents.companions else { return await work() }
            await companions.bind(for: work)
        }
    }

    /// Counts it as the same if the worker has this very identity already; what else a frame holds may have to be bound all
    /// the same.
    private func countRestore(at boundary: IdentityBoundary, _ features: BindingFeatures) {
        guard features.contains(.counters) else { return }
        CarryCounters.count(ThreadMirror.current().identity == identity ? .same : .swapped, boundary)
    }

    /// This, or nobody in its place where it is beyond a budget that says so; tells of what is found on the way.
    private func admitted(_ features: BindingFeatures) -> IdentitySnapshot {
        if features.isDisjoint(with: [.strictness, .budgets]) { return self }
        guard let contents, let identity = contents.identity, !identity.isNobody else { return self }
        if features.contains(.strictness) { StrictMode.look(for: contents, levels.diagnostics) }
        guard features.contains(.budgets), let journey = contents.journey, let budget = levels.diagnostics.budget,
            let excess = budget.exceeded(by: journey)
        else { return self }
        StrictMode.tell(beyondBudget: excess, budget, contents, levels.diagnostics)
        guard budget.excess == .runsAsNobody else { return self }
        var downgraded = contents
        downgraded.identity = .nobody
        return downgraded.snapshot
    }
}
