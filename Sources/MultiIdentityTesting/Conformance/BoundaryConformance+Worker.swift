import MultiIdentity

extension BoundaryConformance {
    /// The place where a boundary's work runs.
    public struct Worker: Sendable {
        enum Place: Sendable {
            case elsewhere
            case callingThread
            case reachable
            case drained(@Sendable () -> Void)
        }

        let place: Place
        /// Hands plain work to the same worker, behind what was handed over before.
        let plain: (@Sendable (@escaping Work) -> Void)?

        /// Another thread or task, which the checks cannot reach.
        public static var elsewhere: Worker { Worker(place: .elsewhere, plain: nil) }

        /// The thread that hands the work over or fires it, before that call returns.
        ///
        /// So the work can run inside a scope of the code that fires it.
        public static var callingThread: Worker { Worker(place: .callingThread, plain: nil) }

        /// A thread that takes plain work, which the checks use to see what the boundary leaves there.
        ///
        /// - Parameter plain: Runs its argument on the worker without carrying anything, behind the work that was handed
        ///   over before it (on a pool's one thread, or on the underlying queue), and does not wait for it.
        /// - Returns: The worker.
        public static func reachable(_ plain: @escaping @Sendable (@escaping Work) -> Void) -> Worker {
            Worker(place: .reachable, plain: bare(plain))
        }

        /// Any thread that drains the boundary, which can be inside another scope: a run loop, an event loop's tick, a
        /// flushed batch.
        ///
        /// - Parameters:
        ///   - plain: Hands over its argument without carrying anything, to run in the same drain as the work that was handed
        ///     over before it; `nil` if that is not possible.
        ///   - drain: Runs what was handed over so far, on the calling thread, before it returns.
        /// - Returns: The worker.
        public static func drained(
            plain: (@Sendable (@escaping Work) -> Void)? = nil,
            _ drain: @escaping @Sendable () -> Void
        ) -> Worker {
            Worker(place: .drained(drain), plain: plain.map(bare))
        }

        /// Runs a closure with nothing bound, since a plain call carries in automatic mode.
        private static func bare(
            _ plain: @escaping @Sendable (@escaping Work) -> Void
        ) -> @Sendable (@escaping Work) -> Void {
            { work in withIdentity(nil) { plain(work) } }
        }
    }

    /// Declares where the work runs; without this, on a worker that the checks cannot reach.
    ///
    /// - Parameter worker: The place.
    /// - Returns: The boundary with this declaration.
    public func running(on worker: Worker) -> BoundaryConformance {
        var copy = self
        copy.worker = worker
        if case .callingThread = worker.place { copy.isAwaited = true }
        return copy
    }
}
