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
        if BindingFeatures.capturesOnlyNoteHops, let frame = ThreadMirror.frame(of: ThreadMirror.currentBits) {
            IdentitySnapshot.countCaptureIfAsked(at: boundary)
            let continuing = frame._withUnsafeGuaranteedRef {
                BindingFrame.continuing($0, by: KeptHop(boundary, onto: queue, BindingSite(fileID, line)))
            }
            return BoundaryCapture(of: IdentitySnapshot(.frame(continuing)), at: boundary)
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
        self.init(at: boundary) { .observed(at: boundary, onto: queue, fileID, line) }
    }
}
