import CMultiIdentity

/// A capture for work that runs once, in the box that it waits in (``WorkBox``).
///
/// The box counts such work; its captures need no end of their own, so that all captures of one scope share a frame.
struct OneShotCapture: Sendable {
    let snapshot: IdentitySnapshot
    let boundary: IdentityBoundary
    /// True if it was counted for its identity's life, as captured until it has run or was dropped.
    let isCounted: Bool

    /// Makes one of what was captured by other means.
    @inline(__always)
    init(_ captured: BoundaryCapture) { self.init(captured.snapshot, at: captured.boundary, isCounted: false) }

    @inline(__always)
    private init(_ snapshot: IdentitySnapshot, at boundary: IdentityBoundary, isCounted: Bool) {
        self.snapshot = snapshot
        self.boundary = boundary
        self.isCounted = isCounted
    }

    /// Takes a snapshot of the thread level here.
    @inline(__always)
    init(at boundary: IdentityBoundary, _ otherwise: () -> BoundaryCapture) {
        if BindingFeatures.capturesArePlain {
            self.init(ThreadMirror.current(), at: boundary, isCounted: false)
        } else if BindingFeatures.capturesAreLight {
            self.init(.capturedLightly(at: boundary), at: boundary, isCounted: false)
        } else if BindingFeatures.oneShotCapturesAreLight, let capture = Self.light(at: boundary) {
            self = capture
        } else {
            self.init(otherwise())
        }
    }

    /// Captures while revocation is on, and little else; `nil` where the capture takes a frame of its own.
    @inline(__always)
    private static func light(at boundary: IdentityBoundary) -> OneShotCapture? {
        let taskRuns = mi_task_runs()
        let here = ThreadMirror.currentBits(taskRuns: taskRuns)
        if here != 0, let shared = shared(here, taskRuns: taskRuns) {
            shared._withUnsafeGuaranteedRef { $0.life?._withUnsafeGuaranteedRef { $0.captureBegins() } }
            let snapshot = IdentitySnapshot(.frame(shared.takeUnretainedValue()))
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

    /// Returns the frame that captures of what is bound here share.
    ///
    /// Outside tasks nothing but the very work that a frame is bound for shows it. It may have none, or one that was captured
    /// while revocation was off and so belongs to no life.
    @inline(__always)
    private static func shared(_ here: UInt, taskRuns: Bool) -> Unmanaged<BindingFrame>? {
        guard let frame = ThreadMirror.frame(of: here), !taskRuns || frame._withUnsafeGuaranteedRef({ $0.isOfWorkHere })
        else { return nil }
        let kept = frame._withUnsafeGuaranteedRef { $0.shared } ?? frame._withUnsafeGuaranteedRef { $0.makeShared() }
        guard let kept, kept._withUnsafeGuaranteedRef({ $0.life }) != nil else { return nil }
        return kept
    }
}
