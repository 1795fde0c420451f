import CMultiIdentity

// What a restore does in addition, while a feature is in use that carries more than the identity.
extension IdentitySnapshot {
    /// The number of times that a capture is restored; one that is restored once stops counting as captured when the work
    /// begins, since the thread can exit in it.
    @usableFromInline
    enum Use: Sendable {
        case again, once
        /// From a box, by libdispatch; in the second case the box counts the work (``WorkBox``), instead of a ``CapturedWork``.
        case inBox, countedInBox

        var isInBox: Bool { self == .inBox || self == .countedInBox }
    }

    /// Restores this around work on this thread.
    @usableFromInline @inline(never)
    func restoreObserved(
        at boundary: IdentityBoundary = .snapshot,
        as use: Use = .again,
        after handedOver: UInt32 = 0,
        _ work: () -> Void
    ) {
        Self.runObserved(takingOver: retainedBits(), at: boundary, as: use, after: handedOver, work)
    }

    /// Runs `work` as the snapshot of these bits, whose reference it consumes, with everything else in its frame.
    ///
    /// On a worker with nothing bound it takes the production route, so that it checks nothing but the frame.
    // Takes the bits: the binding has their reference in the meantime, and one more would cost as much as everything else here.
    @inline(__always)
    static func runObserved(
        takingOver bits: UInt,
        at boundary: IdentityBoundary,
        as use: Use,
        after handedOver: UInt32,
        _ work: () -> Void
    ) {
        let (features, captured) = (BindingFeatures.inUse, bits ^ ThreadMirror.bitsOfNothing)
        let frame = ThreadMirror.frame(of: captured)
        let ongoing = frame?.read { $0.ongoing }
        // Work outside a box may be run by hand, and so in an `isolated deinit`, where the lasting binding is hidden.
        guard features.isDisjoint(with: .beyondProduction), ThreadMirror.isClear, use.isInBox || !ThreadMirror.isHidden,
            begins(captured, ongoing, features)
        else {
            return IdentitySnapshot(takingOver: bits).restoreFully(features, at: boundary, as: use, handedOver, work)
        }
        if use == .countedInBox { ongoing?.read { $0.captureEnds() } }
        let isWatched = !features.isDisjoint(with: .inWatches)
        var watch = Watch()
        // One check for all, where none is in use.
        if isWatched || features.contains(.counters) {
            if features.contains(.counters) {
                let isUnset = frame?.read { $0.origin.contents.identity == nil } ?? (captured == 0)
                HopEvent.count(isUnset ? .same : .swapped, boundary)
            }
            if isWatched { watch.begin(captured, frame, features, at: boundary, after: handedOver) }
        }
        let outer = ThreadMirror.enterWork(bits)
        if features.contains(.companions), let frame {
            frame.read { $0.bindCompanions(for: work) }
        } else {
            work()
        }
        // Before the binding releases what keeps them alive.
        if isWatched { watch.end(features) }
        ThreadMirror.leaveWork(outer)
        if ongoing != nil { OngoingWork.handedOverEnds() }
    }

    /// How work is listed, charged and shown.
    private struct Watch {
        private var ticket: RunningWorkRoster.Ticket?
        private var account: IdentityAccounting?

        /// Begins with work of these bits, whose frame is the given one.
        @inline(__always)
        mutating func begin(
            _ captured: UInt,
            _ frame: Borrowed<BindingFrame>?,
            _ features: BindingFeatures,
            at boundary: IdentityBoundary,
            after handedOver: UInt32
        ) {
            ticket = RunningWorkRoster.enter(captured, by: boundary, features)
            if features.contains(.accounts) {
                account = .begin(captured, frame, at: boundary, after: handedOver)
            }
            if features.contains(.threadContext) { ThreadContext.show(captured, frame) }
        }

        @inline(__always)
        func end(_ features: BindingFeatures) {
            ticket?.leave()
            // Nor was anything shown before, since nothing was bound.
            if features.contains(.threadContext) { mi_thread_context_show(nil) }
            account?.end()
        }
    }

    /// Begins work of these bits, if it may begin; also if it was captured while revocation was off, since that may be on again
    /// before this ends.
    @inline(__always)
    private static func begins(
        _ captured: UInt,
        _ ongoing: Borrowed<OngoingWork>?,
        _ features: BindingFeatures
    ) -> Bool {
        if let ongoing { return OngoingWork.handedOverBegins(from: ongoing) }
        return !features.contains(.revocation) || ThreadMirror.snapshot(of: captured).isOfNobodyAlone
    }

    @inline(never)
    private func restoreFully(
        _ features: BindingFeatures,
        at boundary: IdentityBoundary,
        as use: Use,
        _ handedOver: UInt32,
        _ work: () -> Void
    ) {
        let (snapshot, ongoing) = admitted(features).begun(features, at: boundary)
        defer { ongoing?.end() }
        if use != .again { frame?.endCapture(isCounted: use == .countedInBox) }
        let isSame = ThreadMirror.shows(snapshot)
        let ticket = snapshot.noted(at: boundary, features)
        defer { ticket?.leave() }
        let account =
            features.contains(.accounts)
            ? IdentityAccounting.begin(snapshot, at: boundary, after: handedOver) : nil
        defer { account?.end() }
        let isShown = features.contains(.threadContext)
        let outer = isShown ? mi_thread_context_shown() : nil
        if isShown { ThreadContext.show(ThreadMirror.bits(of: snapshot), snapshot.frame.map { Borrowed($0) }) }
        defer { if isShown { mi_thread_context_show(outer) } }
        let piece = features.contains(.limits) ? WorkLimits.begin(snapshot.frame?.origin.contents.limits) : nil
        defer { piece?.end() }
        let sentinel = PoolSentinel(for: snapshot, at: boundary, features)
        sentinel.watch("found", boundary: boundary) {
            if isSame { return snapshot.bindCompanions(for: work) }
            snapshot.bindForWork {
                snapshot.bindCompanions { sentinel.watch("received", boundary: boundary, work) }
            }
        }
    }

    /// Restores this around asynchronous work, on the caller's actor.
    @usableFromInline
    nonisolated(nonsending) func restoreObserved(_ work: nonisolated(nonsending) () async -> Void) async {
        let features = BindingFeatures.inUse
        let (snapshot, ongoing) = admitted(features).begun(features, at: .snapshot)
        defer { ongoing?.end() }
        let ticket = snapshot.noted(at: .snapshot, features)
        defer { ticket?.leave() }
        TaskRun.scopeBegins(snapshot)
        defer { TaskRun.scopeEnds() }
        await snapshot.bind { () async -> Void in
            guard let companions = snapshot.frame?.origin.contents.companions else { return await work() }
            await companions.bind(for: work)
        }
    }

    /// Lists it as running, and counts it: as `same` if the worker already has this very identity; the rest of a frame may
    /// still have to be bound.
    private func noted(at boundary: IdentityBoundary, _ features: BindingFeatures) -> RunningWorkRoster.Ticket? {
        if features.contains(.counters) {
            HopEvent.count(ThreadMirror.current().identity == identity ? .same : .swapped, boundary)
        }
        return RunningWorkRoster.enter(ThreadMirror.bits(of: self), by: boundary)
    }

    /// Returns this, or nobody if it exceeds a budget that says so; reports what it finds.
    private func admitted(_ features: BindingFeatures) -> IdentitySnapshot {
        if features.isDisjoint(with: [.strictness, .budgets]) { return self }
        guard var contents, let identity = contents.identity, !identity.isNobody else { return self }
        let diagnostics = levels.diagnosticSettings
        if features.contains(.strictness) { StrictMode.look(for: contents, diagnostics) }
        guard let journey = contents.journey, let limit = diagnostics.limit, let excess = limit.exceeded(by: journey)
        else { return self }
        StrictMode.notify(beyondBudget: excess, limit, contents, diagnostics)
        guard limit.endsIdentity else { return self }
        contents.identity = .nobody
        return contents.snapshot
    }
}
