import CMultiIdentity

/// A capture for work that runs once, in the box that it waits in (``WorkBox``).
///
/// The box counts such work; its captures need no end of their own, so that all captures of one scope share a frame.
struct OneShotCapture {
    let snapshot: IdentitySnapshot
    let boundary: IdentityBoundary
    /// True if it was counted for its identity's life, as captured until it has run or was dropped.
    let isCounted: Bool
    /// Memory in which the work can wait: in the frame that is the snapshot, and was made for this alone.
    let room: UnsafeMutableRawPointer?

    /// Makes one of what was captured by other means.
    @inline(__always)
    init(_ captured: BoundaryCapture) { self.init(captured.snapshot, at: captured.boundary, isCounted: false) }

    @inline(__always)
    init(_ snapshot: IdentitySnapshot, at boundary: IdentityBoundary, isCounted: Bool) {
        self.snapshot = snapshot
        self.boundary = boundary
        self.isCounted = isCounted
        room = nil
    }

    /// Makes one of a hop that was noted for it.
    @inline(__always)
    init(_ frame: HopFrame, at boundary: IdentityBoundary, isCounted: Bool) {
        snapshot = IdentitySnapshot(.frame(frame))
        self.boundary = boundary
        self.isCounted = isCounted
        room = frame.room
    }

    /// Takes a snapshot of the thread level here.
    @inline(__always)
    init(at boundary: IdentityBoundary, _ otherwise: () -> OneShotCapture) {
        if BindingFeatures.capturesArePlain {
            self.init(ThreadMirror.current(), at: boundary, isCounted: false)
        } else if BindingFeatures.capturesAreLight {
            self.init(.capturedLightly(at: boundary), at: boundary, isCounted: false)
        } else if BindingFeatures.oneShotCapturesAreLight, let capture = Self.light(at: boundary) {
            self = capture
        } else {
            self = otherwise()
        }
    }

    /// Captures while revocation is on, and little else; `nil` where the capture takes a frame of its own.
    @inline(__always)
    private static func light(at boundary: IdentityBoundary) -> OneShotCapture? {
        let taskRuns = mi_task_runs()
        let here = ThreadMirror.currentBits(taskRuns: taskRuns)
        if let frame = frameToShare(here, taskRuns: taskRuns) {
            frame._withUnsafeGuaranteedRef { $0.ongoing?._withUnsafeGuaranteedRef { $0.captureBegins() } }
            let snapshot = IdentitySnapshot(.frame(frame.takeUnretainedValue()))
            if BindingFeatures.inUse.isDisjoint(with: .light) {
                return OneShotCapture(snapshot, at: boundary, isCounted: true)
            }
            // The scope keeps it.
            let bits = ThreadMirror.bits(of: snapshot)
            return OneShotCapture(.capturedLightly(bits, at: boundary), at: boundary, isCounted: true)
        }
        guard ThreadMirror.snapshot(of: here).isOfNobodyAlone else { return nil }
        return OneShotCapture(.capturedLightly(at: boundary), at: boundary, isCounted: false)
    }

    /// Returns the frame that is bound here, where what is captured in it shares it.
    ///
    /// Outside tasks nothing but the very work that a frame is bound for shows it. It may have been bound while revocation was
    /// off, and so be of no work that is counted.
    @inline(__always)
    static func frameToShare(_ here: UInt, taskRuns: Bool) -> Unmanaged<BindingFrame>? {
        guard let frame = ThreadMirror.frame(of: here), frame._withUnsafeGuaranteedRef({ $0.ongoing }) != nil,
            !taskRuns || frame._withUnsafeGuaranteedRef({ $0.isOfWorkHere })
        else { return nil }
        return frame
    }
}
