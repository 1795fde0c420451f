import CMultiIdentity
import Dispatch

/// A snapshot that a boundary takes at its capture point and restores around its work, as each wrapped closure does.
///
/// ```swift
/// let captured = BoundaryCapture(at: IdentityBoundary("timer"), fileID, line)
/// let timer = Timer(timeInterval: 1, repeats: true, block: captured.wrap(block))
/// ```
package struct BoundaryCapture: Sendable {
    package let snapshot: IdentitySnapshot
    let details: Details

    /// All else, as one word.
    struct Details: Sendable {
        private let word: UInt64

        init(_ boundary: IdentityBoundary, isCounted: Bool, hasRoom: Bool, handedOver: UInt32) {
            word = UInt64(boundary.index) | (isCounted ? 1 << 8 : 0) | (hasRoom ? 1 << 9 : 0) | UInt64(handedOver) << 32
        }

        var boundary: IdentityBoundary { IdentityBoundary(index: UInt8(truncatingIfNeeded: word)) }
        /// True for work that waits in a box that counts it for its identity (``WorkBox``).
        var isCounted: Bool { word & 1 << 8 != 0 }
        /// True if the snapshot is a frame that was made only for this capture.
        var hasRoom: Bool { word & 1 << 9 != 0 }
        /// The time of the hand-over, for the account of work that runs once; 0: it is not noted.
        var handedOver: UInt32 { UInt32(truncatingIfNeeded: word >> 32) }
    }

    package var boundary: IdentityBoundary { details.boundary }
    var isCounted: Bool { details.isCounted }
    var hasRoom: Bool { details.hasRoom }

    /// Takes a snapshot of the thread level here.
    ///
    /// - Parameters:
    ///   - boundary: The boundary.
    ///   - place: The target of the work, such as a queue's label; computed only if a feature needs it.
    ///   - fileID: The file of the call to the boundary; empty if unknown.
    ///   - line: The line of that call.
    // Inlined: `place` becomes a closure only if it is needed, which saves a tenth of a hop.
    @inline(__always)
    package init(
        at boundary: IdentityBoundary,
        of place: @autoclosure () -> String? = nil,
        _ fileID: StaticString = "",
        _ line: UInt = 0
    ) {
        if case .plain = Route.here {
            self.init(of: ThreadMirror.current(), at: boundary)
        } else {
            self = .observed(at: boundary, runsOnce: false) {
                KeptHop(boundary, onto: place(), CallSite(fileID, line))
            }
        }
    }

    /// Takes a snapshot of the thread level here, for work that is handed to `queue`; work that runs once waits in a box.
    @inline(__always)
    init(
        at boundary: IdentityBoundary,
        onto queue: DispatchQueue,
        runsOnce: Bool = false,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        if case .plain = Route.here {
            self.init(of: ThreadMirror.current(), at: boundary)
        } else {
            // Not retained: every capture would pay for the few that keep it, and the caller has a reference.
            let queue = Borrowed(queue)
            self = .observed(at: boundary, runsOnce: runsOnce) {
                KeptHop(boundary, onto: queue.object, CallSite(fileID, line))
            }
        }
    }

    /// Memory for a box, in the frame that was made only for this hop.
    var room: UnsafeMutableRawPointer? {
        if hasRoom, case .frame(let frame) = snapshot.held { Borrowed(frame).as(HopFrame.self).room } else { nil }
    }

    init(
        of snapshot: IdentitySnapshot,
        at boundary: IdentityBoundary,
        isCounted: Bool = false,
        hasRoom: Bool = false,
        handedOver: UInt32 = 0
    ) {
        self.snapshot = snapshot
        details = Details(boundary, isCounted: isCounted, hasRoom: hasRoom, handedOver: handedOver)
    }

    /// Returns the same capture for another owner: levels and companions are the captured ones.
    func with(
        _ owner: WorkOwner?,
        inferred inference: IdentityInference? = nil,
        after revoked: RevokedWork? = nil
    ) -> BoundaryCapture {
        var contents = snapshot.contents ?? BindingFrameContents(identity: nil)
        contents.inference = inference
        contents.beginCapture(of: owner, after: revoked)
        return BoundaryCapture(of: contents.snapshot, at: boundary)
    }

    /// Runs `work` as the captured identity, and then reinstates what was bound here before.
    @inline(__always)
    package func restore(_ work: () -> Void) { restore(as: .again, work) }

    /// Runs `work` as the captured identity, for the last time.
    package func restoreOnce(_ work: () -> Void) { restore(as: .once, work) }

    @inline(__always)
    private func restore(as use: IdentitySnapshot.Use, _ work: () -> Void) {
        if Route.isPlainForWork { return snapshot.restorePlainly(work) }
        snapshot.restoreObserved(at: boundary, as: use, after: use == .again ? 0 : details.handedOver, work)
    }

    /// Runs `work` as the captured identity, and returns its result.
    package func restore<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        restore { () -> Void in result = Result(catching: work) }
        return try result.mustHaveRun().get()
    }

    /// Returns a closure that runs `work` as the captured identity, to be called once.
    package func wrapOnce(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        { restoreOnce(work) }
    }

    /// Returns a closure that runs `work` as the captured identity, on any thread, each time it is called.
    package func wrap(_ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        { restore(work) }
    }

    /// Returns such a closure for work with any parameters, at a tenth more.
    package func wrap<each Argument, Value>(
        _ work: @escaping @Sendable (repeat each Argument) -> Value
    ) -> @Sendable (repeat each Argument) -> Value {
        { (arguments: repeat each Argument) in restore { work(repeat each arguments) } }
    }
}
