// What captures and restores do besides, while anybody uses what needs it. The usual way does not come here.
extension IdentitySnapshot {
    /// A snapshot of what is bound here, as it goes over a boundary where nothing is in use but companions and counters.
    @inline(never)
    static func capturedLightly(at boundary: IdentityBoundary) -> IdentitySnapshot {
        capturedLightly(ThreadMirror.currentBits, at: boundary)
    }

    /// The same for what is captured in its place, by its bits, which somebody keeps meanwhile.
    @inline(__always)
    static func capturedLightly(_ bits: UInt, at boundary: IdentityBoundary) -> IdentitySnapshot {
        countCaptureIfAsked(at: boundary)
        return BindingFeatures.inUse.contains(.companions) ? withCompanions(bits) : ThreadMirror.snapshot(of: bits)
    }

    @inline(__always)
    static func countCaptureIfAsked(at boundary: IdentityBoundary) {
        if BindingFeatures.inUse.contains(.counters) { CarryCounters.count(.captured, boundary) }
    }

    /// This, as it goes over a boundary: with what companions hold here, and one hop more.
    @inline(never)
    func observed(
        at boundary: IdentityBoundary,
        by hop: () -> KeptHop
    ) -> IdentitySnapshot {
        let features = BindingFeatures.inUse
        Self.countCaptureIfAsked(at: boundary)
        if features.isDisjoint(with: .inFrames) { return self }
        var contents = contents ?? BindingFrameContents(identity: identity)
        contents.companions = IdentityCompanions.capture(contents.companions)
        if !features.isDisjoint(with: [.provenance, .sentinel, .runningWork, .strictness]) {
            contents.journey = Journey(continuing: contents.journey, since: contents.scope?.began, by: hop())
        } else if features.contains(.budgets) {
            contents.journey = Journey(continuing: contents.journey, since: contents.scope?.began, by: nil)
        }
        if features.contains(.revocation) { contents.beginCapture(at: boundary) }
        return contents.snapshot
    }

    /// Restores this around work that `boundary` handed over.
    @usableFromInline
    func restoreObserved(_ work: () -> Void) { restoreObserved(at: .snapshot, work) }

    @inline(never)
    func restoreObserved(at boundary: IdentityBoundary, _ work: () -> Void) {
        if BindingFeatures.restoresOnlyNote { return restoreNoted(at: boundary, work) }
        let features = BindingFeatures.inUse
        let (snapshot, ongoing) = admitted(features).begun(features, at: boundary)
        defer { ongoing?.end() }
        let isSame = ThreadMirror.shows(snapshot)
        snapshot.countRestore(at: boundary)
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

    @inline(never)
    private func restoreNoted(at boundary: IdentityBoundary, _ work: () -> Void) {
        countRestore(at: boundary)
        let ticket = RunningWork.enter(ThreadMirror.bits(of: self), by: boundary)
        if ThreadMirror.shows(self) { bindCompanions(for: work) } else { bindForWork { bindCompanions(for: work) } }
        ticket?.leave()
    }

    /// Restores this around asynchronous work, on the caller's actor.
    @usableFromInline
    nonisolated(nonsending) func restoreObserved(_ work: nonisolated(nonsending) () async -> Void) async {
        let features = BindingFeatures.inUse
        let (snapshot, ongoing) = admitted(features).begun(features, at: .snapshot)
        defer { ongoing?.end() }
        snapshot.countRestore(at: .snapshot)
        let ticket = RunningWork.enter(ThreadMirror.bits(of: snapshot), by: .snapshot)
        defer { ticket?.leave() }
        await snapshot.bind { () async -> Void in
            guard let companions = snapshot.frame?.origin.contents.companions else { return await work() }
            await companions.bind(for: work)
        }
    }

    /// Counts it as the same if the worker has this very identity already; what else a frame holds may have to be bound all
    /// the same.
    @inline(__always)
    func countRestore(at boundary: IdentityBoundary) {
        guard BindingFeatures.inUse.contains(.counters) else { return }
        Self.countRestore(of: ThreadMirror.bits(of: self), at: boundary)
    }

    /// The same, as somebody asked for it, of what is captured in its place, by its bits, which somebody keeps meanwhile.
    @inline(__always)
    static func countRestore(of bits: UInt, at boundary: IdentityBoundary) {
        // Nearly all workers have none, and most work is somebody's.
        let isPlainlyOther = ThreadMirror.currentBits == 0 && bits != 0 && ThreadMirror.frame(of: bits) == nil
        CarryCounters.count(!isPlainlyOther && isThatOfTheWorker(bits) ? .same : .swapped, boundary)
    }

    @inline(never)
    private static func isThatOfTheWorker(_ bits: UInt) -> Bool {
        let snapshot = ThreadMirror.snapshot(of: bits)
        return ThreadMirror.shows(snapshot) || ThreadMirror.current().identity == snapshot.identity
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
