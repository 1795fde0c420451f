/// One way to hand work over, to be compared with others.
///
/// What it runs is repeated often and on one thread: the one that calls ``HopComparison/run(measuring:progress:)``.
public struct HopVariant: Sendable {
    let name: String
    private let scope: @Sendable (() -> Void) -> Void
    private let hold: @Sendable () -> Void
    private let hop: @Sendable () -> Void
    /// `nil` where a hop has run when it returns.
    private let drain: (@Sendable () -> Void)?

    /// Work for a queue that is suspended while it fills, so that handing over and running are measured apart.
    ///
    /// A round trip hides everything: a caller that waits for each hop measures the waking of threads.
    ///
    /// ```swift
    /// HopVariant.held("raw", hold: queue.suspend, enqueue: { queue.async { counter.step() } }) {
    ///     queue.resume()
    ///     queue.sync {}
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name, as it stands in the report.
    ///   - hold: Keeps the queue from running anything; not measured.
    ///   - enqueue: Hands one piece of work over.
    ///   - drain: Lets the queue go, and returns when all its work has run.
    /// - Returns: The variant.
    public static func held(
        _ name: String,
        hold: @escaping @Sendable () -> Void,
        enqueue: @escaping @Sendable () -> Void,
        drain: @escaping @Sendable () -> Void
    ) -> HopVariant {
        HopVariant(name: name, scope: { $0() }, hold: hold, hop: enqueue, drain: drain)
    }

    /// A hop that has run when it returns, as `sync`, or any other synchronous body.
    ///
    /// - Parameters:
    ///   - name: The name, as it stands in the report.
    ///   - hop: One hop.
    /// - Returns: The variant.
    public static func body(_ name: String, _ hop: @escaping @Sendable () -> Void) -> HopVariant {
        HopVariant(name: name, scope: { $0() }, hold: {}, hop: hop, drain: nil)
    }

    /// The same variant with a scope around each block, as what has to be bound for the hops to carry something.
    ///
    /// ```swift
    /// variant.within { block in withIdentity(ada) { block() } }
    /// ```
    ///
    /// - Parameter scope: Runs the block that it is given, once; what it does besides is not measured.
    /// - Returns: The variant.
    public func within(_ scope: @escaping @Sendable (_ block: () -> Void) -> Void) -> HopVariant {
        let inner = self.scope
        return HopVariant(name: name, scope: { block in scope { inner(block) } }, hold: hold, hop: hop, drain: drain)
    }

    /// The harness's own cost: the same loop around nothing.
    static let floor = held("floor", hold: {}, enqueue: {}, drain: {})

    /// The phases that can be measured of it.
    var phases: [HopPhase] { drain == nil ? [.whole] : [.enqueue, .drain, .whole] }

    /// Runs one block, and reads the gauges before the first hop, after the last, and after draining.
    ///
    /// One function for all variants, so that the floor is that of each of them.
    @inline(never)
    func run(_ hops: Int, into readings: inout HopReadings) {
        scope {
            hold()
            readings.read(.start)
            for _ in 0..<hops { hop() }
            readings.read(.enqueued)
            drain?()
            readings.read(.drained)
        }
    }
}
