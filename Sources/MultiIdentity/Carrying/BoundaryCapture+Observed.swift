import CMultiIdentity

// What a capture does in addition, while a feature is in use that carries more than the identity.
extension BoundaryCapture {
    /// Captures what is bound here, for a boundary.
    ///
    /// On the production route captures share the bound frame, except for the hop.
    @inline(never)
    static func observed(at boundary: IdentityBoundary, runsOnce: Bool, by hop: () -> KeptHop) -> BoundaryCapture {
        let features = BindingFeatures.inUse
        if features.contains(.counters) { HopEvent.count(.captured, boundary) }
        let handedOver = features.contains(.accounts) && boundary.waitsInLine ? mi_account_stamp() : 0
        let taskRuns = mi_task_runs()
        let bits = ThreadMirror.currentBits(taskRuns: taskRuns)
        if features.isDisjoint(with: .inFrames) {
            return BoundaryCapture(of: ThreadMirror.snapshot(of: bits), at: boundary, handedOver: handedOver)
        }
        let (isNoted, isCounted) = (!features.isDisjoint(with: .inHops), features.contains(.revocation))
        guard features.isDisjoint(with: .beyondProduction), let frame = ThreadMirror.frame(of: bits),
            !isCounted || runsOnce && frame.read({ $0.beginCapture(taskRuns: taskRuns) })
        else {
            let here = ThreadMirror.snapshot(of: bits).capturedFully(features, at: boundary, by: isNoted ? hop() : nil)
            return BoundaryCapture(of: here, at: boundary, handedOver: handedOver)
        }
        let shared = frame.read { $0.withCompanions(features) }
        return BoundaryCapture(
            of: IdentitySnapshot(.frame(isNoted ? HopFrame.continuing(shared, by: hop) : shared)),
            at: boundary,
            isCounted: isCounted,
            hasRoom: isNoted && runsOnce,
            handedOver: handedOver
        )
    }
}

extension IdentitySnapshot {
    /// Returns this, which is bound here, with everything that crosses a boundary, in its own frame.
    fileprivate func capturedFully(
        _ features: BindingFeatures,
        at boundary: IdentityBoundary,
        by hop: KeptHop?
    ) -> IdentitySnapshot {
        var contents = contents ?? BindingFrameContents(identity: identity)
        contents.companions = IdentityCompanions.capture(contents.companions)
        if hop != nil || features.contains(.budgets) {
            contents.journey = Journey(continuing: contents.journey, since: contents.scope?.began, by: hop)
        }
        if features.contains(.revocation) { contents.beginCapture(at: boundary) }
        return contents.snapshot
    }
}

extension IdentityBoundary {
    /// True if what is between hand-over and begin is a wait for others' work, and no delay or event that was asked for.
    fileprivate var waitsInLine: Bool { self == .async || self == .operation }
}

extension BindingFrame {
    /// Counts a capture under this for the work that it is bound for; returns false if that work is not counted.
    ///
    /// Outside tasks only that very work shows it. It may have been bound while revocation was off.
    fileprivate func beginCapture(taskRuns: Bool) -> Bool {
        guard let ongoing, !taskRuns || isOfWorkHere else { return false }
        ongoing.read { $0.captureBegins() }
        return true
    }

    fileprivate func withCompanions(_ features: BindingFeatures) -> BindingFrame {
        guard features.contains(.companions), let table = mi_companions_current() else { return self }
        return withCompanions(table)
    }
}
