import CMultiIdentity

/// The thread that waits while its work runs, and what is bound there: for boundaries that may run work on that thread.
///
/// On its own thread the work finds everything as it is, in the same task if there is one; elsewhere it is restored.
struct CallersThread: @unchecked Sendable {
    // `@unchecked Sendable`: the pointer is compared and never followed. The bits stand for no reference of their own: the
    // thread waits inside the scope that keeps the snapshot alive, until the work's runner is done with them.
    private let thread: UnsafeMutablePointer<mi_thread>
    private let bits: UInt
    private let boundary: IdentityBoundary
    /// The snapshot that goes over where somebody observes.
    private let observed: IdentitySnapshot?

    /// - Parameters:
    ///   - boundary: The boundary. Where the call stands is not passed: its caller waits, and so stands in the stack.
    ///   - place: What the work is handed to.
    @inline(__always)
    init(at boundary: IdentityBoundary, of place: @autoclosure () -> String? = nil) {
        thread = mi_thread_current()
        self.boundary = boundary
        bits = ThreadMirror.currentBits
        if case .plain = Route.here {
            observed = nil
        } else {
            observed = BoundaryCapture(at: boundary, of: place()).snapshot
        }
    }

    /// Runs `work` as the caller.
    @inline(__always)
    func run(_ work: () -> Void) {
        if !isThisOne { return captured.restore(work) }
        if BindingFeatures.inUse.contains(.counters) { HopCounters.count(.elided, boundary) }
        work()
    }

    private var captured: BoundaryCapture {
        BoundaryCapture(of: observed ?? ThreadMirror.snapshot(of: bits), at: boundary)
    }

    /// False also in a handler, whose trigger is not its work's.
    var isThisOne: Bool { mi_thread_current() == thread && thread.pointee.trigger_binding == 0 }

    /// Waits for work that may run on this thread, and keeps for it that its caller is on main.
    ///
    /// On Linux a boundary that waits hides that from the work, where a worker thread drains the main queue.
    static func wait(for boundary: () -> Void) {
        if MainProbe.wouldBeLostInSync { MainProbe.onBehalfOfMain(boundary) } else { boundary() }
    }
}
