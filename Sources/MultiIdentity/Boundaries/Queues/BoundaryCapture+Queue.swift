import CMultiIdentity
import Dispatch

extension BoundaryCapture {
    /// Takes a snapshot of the thread level here, for work that is handed to `queue`.
    @inline(__always)
    init(at boundary: IdentityBoundary, onto queue: DispatchQueue, _ fileID: StaticString, _ line: UInt) {
        if BindingFeatures.capturesArePlain {
            self.init(of: ThreadMirror.current(), at: boundary)
        } else if BindingFeatures.capturesAreLight {
            self.init(of: .capturedLightly(at: boundary), at: boundary)
        } else {
            self = .observed(at: boundary, onto: queue, fileID, line)
        }
    }

    // Apart: each hand-over would retain the queue for its label, which few want.
    @inline(never)
    fileprivate static func observed(
        at boundary: IdentityBoundary,
        onto queue: DispatchQueue,
        _ fileID: StaticString,
        _ line: UInt
    ) -> BoundaryCapture {
        if let frame = HopFrame.noted(at: boundary, onto: queue, fileID, line) {
            return BoundaryCapture(of: IdentitySnapshot(.frame(frame)), at: boundary)
        }
        let snapshot = ThreadMirror.current().observed(at: boundary) {
            KeptHop(boundary, onto: queue, BindingSite(fileID, line))
        }
        return BoundaryCapture(of: snapshot, at: boundary)
    }
}

extension OneShotCapture {
    /// Takes a snapshot of the thread level here, for work that is handed to `queue`.
    @inline(__always)
    init(at boundary: IdentityBoundary, onto queue: DispatchQueue, _ fileID: StaticString, _ line: UInt) {
        self.init(at: boundary) {
            BindingFeatures.inUse.contains(.revocation)
                ? .counted(at: boundary, onto: queue, fileID, line)
                : .noted(at: boundary, onto: queue, fileID, line)
        }
    }

    /// Captures while hops are noted.
    @inline(never)
    private static func noted(
        at boundary: IdentityBoundary,
        onto queue: DispatchQueue,
        _ fileID: StaticString,
        _ line: UInt
    ) -> OneShotCapture {
        guard let frame = HopFrame.noted(at: boundary, onto: queue, fileID, line) else {
            return OneShotCapture(BoundaryCapture.observed(at: boundary, onto: queue, fileID, line))
        }
        return OneShotCapture(frame, at: boundary, isCounted: false)
    }

    /// Captures while revocation is on and hops are noted.
    @inline(never)
    private static func counted(
        at boundary: IdentityBoundary,
        onto queue: DispatchQueue,
        _ fileID: StaticString,
        _ line: UInt
    ) -> OneShotCapture {
        let taskRuns = mi_task_runs()
        guard BindingFeatures.oneShotCapturesOnlyNote,
            let frame = frameToShare(ThreadMirror.currentBits(taskRuns: taskRuns), taskRuns: taskRuns)
        else { return OneShotCapture(BoundaryCapture.observed(at: boundary, onto: queue, fileID, line)) }
        IdentitySnapshot.countCaptureIfAsked(at: boundary)
        let continuing = frame._withUnsafeGuaranteedRef { frame in
            frame.ongoing?._withUnsafeGuaranteedRef { $0.captureBegins() }
            return frame.continuing(to: queue, at: boundary, fileID, line)
        }
        return OneShotCapture(continuing, at: boundary, isCounted: true)
    }
}

extension HopFrame {
    /// Makes a frame for work that is handed over here; `nil` where there is more to do than to note the hop, or no frame is bound.
    @inline(__always)
    fileprivate static func noted(
        at boundary: IdentityBoundary,
        onto queue: DispatchQueue,
        _ fileID: StaticString,
        _ line: UInt
    ) -> HopFrame? {
        guard BindingFeatures.capturesOnlyNote, let frame = ThreadMirror.frame(of: ThreadMirror.currentBits) else {
            return nil
        }
        IdentitySnapshot.countCaptureIfAsked(at: boundary)
        return frame._withUnsafeGuaranteedRef { $0.continuing(to: queue, at: boundary, fileID, line) }
    }
}

extension BindingFrame {
    /// Makes a frame that holds what this one does, with what companions hold here, and one hop more.
    @inline(__always)
    fileprivate func continuing(
        to queue: DispatchQueue,
        at boundary: IdentityBoundary,
        _ fileID: StaticString,
        _ line: UInt
    ) -> HopFrame {
        if BindingFeatures.inUse.contains(.companions) {
            return continuingWithCompanions(to: queue, at: boundary, fileID, line)
        }
        return .continuing(self) { KeptHop(boundary, onto: queue, BindingSite(fileID, line)) }
    }

    // Apart, which leaves the way without companions as it is.
    @inline(never)
    private func continuingWithCompanions(
        to queue: DispatchQueue,
        at boundary: IdentityBoundary,
        _ fileID: StaticString,
        _ line: UInt
    ) -> HopFrame {
        let frame = mi_companions_current().map(withCompanions) ?? self
        return .continuing(frame) { KeptHop(boundary, onto: queue, BindingSite(fileID, line)) }
    }
}
