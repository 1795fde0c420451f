/// One implementation of a hop, to compare with others.
///
/// Its closures are repeated often, on the thread that calls ``HopComparison/run(measuring:progress:)``.
public struct HopVariant: Sendable {
    let name: String
    private let scope: @Sendable (() -> Void) -> Void
    private let hold: @Sendable () -> Void
    private let hop: @Sendable () -> Void
    /// `nil` if a hop has run when it returns.
    private let drain: (@Sendable () -> Void)?

    /// Creates a variant for a queue that is suspended while it fills, to measure handing over and running separately.
    ///
    /// A round trip would hide the difference: if the caller waits for each hop, it measures thread wakeups.
    ///
    /// ```swift
    /// HopVariant.held("raw", hold: queue.suspend, enqueue: { queue.async { counter.step() } }) {
    ///     queue.resume()
    ///     queue.sync {}
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in the report.
    ///   - hold: Suspends the queue; not measured.
    ///   - enqueue: Hands one work item over.
    ///   - drain: Resumes the queue, and returns when all its work has run.
    /// - Returns: The variant.
    public static func held(
        _ name: String,
        hold: @escaping @Sendable () -> Void,
        enqueue: @escaping @Sendable () -> Void,
        drain: @escaping @Sendable () -> Void
    ) -> HopVariant {
        HopVariant(name: name, scope: { $0() }, hold: hold, hop: enqueue, drain: drain)
    }

    /// Creates a variant whose hop has run when it returns, such as `sync` or any other synchronous body.
    ///
    /// - Parameters:
    ///   - name: The name in the report.
    ///   - hop: One hop.
    /// - Returns: The variant.
    public static func body(_ name: String, _ hop: @escaping @Sendable () -> Void) -> HopVariant {
        HopVariant(name: name, scope: { $0() }, hold: {}, hop: hop, drain: nil)
    }

    /// Returns the same variant with a scope around each block, such as one that binds what the hops carry.
    ///
    /// ```swift
    /// variant.within { block in withIdentity(ada) { block() } }
    /// ```
    ///
    /// - Parameter scope: Runs the given block once; its own work is not measured.
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
    /// One function for all variants, so that the empty loop is a baseline for each of them.
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
