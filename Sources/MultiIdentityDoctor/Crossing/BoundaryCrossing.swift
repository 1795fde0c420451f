package import Dispatch

/// One crossing of a boundary, as the boundary's row sees it: the doctor's, a test's, or automatic mode's.
package protocol BoundaryCrossing: Sendable {
    /// True if it uses this package; otherwise plain Swift.
    var carries: Bool { get }
    /// A serial queue for the work.
    var queue: DispatchQueue { get }
    /// The queues and files that it shares with other crossings.
    var shared: SharedGround { get }
    /// The work to hand over; read it after the calls of ``afterwards(_:)``.
    var work: @Sendable () -> Void { get }
    /// Returns a part of work that runs `count` times; all parts count as one.
    func part(_ index: Int, of count: Int) -> @Sendable () -> Void

    /// Runs `body` at a moment up to the capture, as the identity that acts then.
    func at<Value>(_ moment: Moment, _ body: () -> Value) -> Value
    /// Runs `body`, which triggers the work, at a moment after the capture: perhaps later, and more than once.
    func then(_ moment: Moment, _ body: @escaping () -> Void)

    /// Reports why the boundary cannot be crossed here.
    func refuse(_ reason: String)
    /// Adds a cleanup for when the work has run, or never will; the last one added runs first.
    func afterwards(_ cleanup: @escaping @Sendable () -> Void)
}

/// A function that crosses a boundary: hands the crossing's work over, and passes the boundary's moments one after the
/// other.
package typealias Way = @Sendable (any BoundaryCrossing) -> Void

extension BoundaryCrossing {
    package var shared: SharedGround { SharedGround() }
}
