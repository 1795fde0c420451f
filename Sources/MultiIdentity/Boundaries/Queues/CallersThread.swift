import CMultiIdentity

/// The thread that waits while its work runs, and its binding: for boundaries that may run work on that thread.
///
/// On the caller's own thread the work finds everything in place, in the same task if there is one; elsewhere it is restored.
struct CallersThread: @unchecked Sendable {
    // `@unchecked Sendable`: the pointer is compared and never followed. The bits carry no reference: the thread waits inside
    // the scope that keeps the snapshot alive, until the work's runner is done with them.
    private let thread: UnsafeMutablePointer<mi_thread>
    private let bits: UInt
    private let boundary: IdentityBoundary
    /// The snapshot to carry, if a feature observes hops.
    private let observed: IdentitySnapshot?
    /// The bindings of the thread, which do not change while it waits; `nil` if there is no need of them, or they are captured.
    private let list: BoundList?

    /// - Parameters:
    ///   - boundary: The boundary. The location of the call is not passed: its caller waits, and so is on the stack.
    ///   - place: The target of the work.
    ///   - runsNothing: True if the thread only waits, unless the work runs there.
    @inline(__always)
    init(at boundary: IdentityBoundary, of place: @autoclosure () -> String? = nil, runsNothing: Bool = true) {
        thread = mi_thread_current()
        self.boundary = boundary
        bits = ThreadMirror.currentBits
        if case .plain = Route.here {
            (observed, list) = (nil, nil)
        } else if runsNothing, let list = BoundList.ofCompanionsAlone {
            (observed, self.list) = (nil, list)
        } else {
            list = nil
            observed = BoundaryCapture(at: boundary, of: place()).snapshot
        }
    }

    /// Runs `work` as the caller.
    @inline(__always)
    func run(_ work: () -> Void) {
        if !isThisOne { return captured.restore(work) }
        if BindingFeatures.inUse.contains(.counters) { HopEvent.count(.elided, boundary) }
        work()
    }

    private var captured: BoundaryCapture {
        let snapshot = observed ?? ThreadMirror.snapshot(of: bits)
        return BoundaryCapture(of: list.map(snapshot.withCompanions) ?? snapshot, at: boundary)
    }

    /// False also in a handler, whose trigger does not apply to its work.
    var isThisOne: Bool { mi_thread_current() == thread && thread.pointee.trigger_binding == 0 }

    /// Waits for work that may run on this thread, and preserves for it that its caller is on main.
    ///
    /// On Linux, where a worker thread drains the main queue, a boundary that waits would hide that from the work.
    static func wait(for boundary: () -> Void) {
        if MainProbe.wouldBeLostInSync { MainProbe.onBehalfOfMain(boundary) } else { boundary() }
    }
}
