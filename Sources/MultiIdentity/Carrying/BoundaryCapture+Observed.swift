import CMultiIdentity
import Dispatch

// What a capture does besides, while anything is in use that goes along with the identity.
extension BoundaryCapture {
    @inline(never)
    static func observed(
        at boundary: IdentityBoundary,
        onto queue: DispatchQueue,
        runsOnce: Bool,
        _ fileID: StaticString,
        _ line: UInt
    ) -> BoundaryCapture {
        // Without a reference, which every capture would take for the few that keep it: the caller has one.
        let queue = Borrowed(queue)
        return observed(at: boundary, runsOnce: runsOnce) {
            KeptHop(boundary, onto: queue.object, BindingSite(fileID, line))
        }
    }

    /// Captures what is bound here, for a boundary.
    ///
    /// On the production route captures share the bound frame, but for the hop.
    @inline(__always)
    static func observed(at boundary: IdentityBoundary, runsOnce: Bool, by hop: () -> KeptHop) -> BoundaryCapture {
        let features = BindingFeatures.inUse
        if features.contains(.counters) { CarryCounters.count(.captured, boundary) }
        let taskRuns = mi_task_runs()
        let bits = ThreadMirror.currentBits(taskRuns: taskRuns)
        if features.isDisjoint(with: .inFrames) {
            return BoundaryCapture(of: ThreadMirror.snapshot(of: bits), at: boundary)
        }
        let isCounted = features.contains(.revocation)
        guard features.isDisjoint(with: .beyondProduction), let frame = ThreadMirror.frame(of: bits),
            !isCounted || runsOnce && frame.read({ $0.beginCapture(taskRuns: taskRuns) })
        else { return fully(features, bits, at: boundary, by: hop) }
        if !features.isDisjoint(with: .inHops) {
            let frame = frame.read { HopFrame.continuing($0.withCompanions(features), by: hop) }
            return BoundaryCapture(
                of: IdentitySnapshot(.frame(frame)),
                at: boundary,
                isCounted: isCounted,
                hasRoom: runsOnce
            )
        }
        if features.contains(.companions) {
            let frame = frame.read { $0.withCompanions(features) }
            return BoundaryCapture(of: IdentitySnapshot(.frame(frame)), at: boundary, isCounted: isCounted)
        }
        return BoundaryCapture(of: ThreadMirror.snapshot(of: bits), at: boundary, isCounted: isCounted)
    }

    @inline(never)
    private static func fully(
        _ features: BindingFeatures,
        _ bits: UInt,
        at boundary: IdentityBoundary,
        by hop: () -> KeptHop
    ) -> BoundaryCapture {
        let here = ThreadMirror.snapshot(of: bits)
        var contents = here.contents ?? BindingFrameContents(identity: here.identity)
        contents.companions = IdentityCompanions.capture(contents.companions)
        if !features.isDisjoint(with: [.inHops, .budgets]) {
            let hop = features.isDisjoint(with: .inHops) ? nil : hop()
            contents.journey = Journey(continuing: contents.journey, since: contents.scope?.began, by: hop)
        }
        if features.contains(.revocation) { contents.beginCapture(at: boundary) }
        return BoundaryCapture(of: contents.snapshot, at: boundary)
    }
}

extension BindingFrame {
    /// Counts a capture under this for the work that it is bound for; false where it is bound for none that is counted.
    ///
    /// Outside tasks nothing but that very work shows it. It may have been bound while revocation was off.
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
