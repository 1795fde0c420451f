import MultiIdentity

extension BoundaryConformance {
    /// The place where a boundary's work runs, as far as that is known.
    public struct Worker: Sendable {
        enum Place: Sendable {
            case elsewhere
            case callingThread
            case reachable
            case drained(@Sendable () -> Void)
        }

        let place: Place
        /// Hands plain work to the very same worker, behind what was handed over before.
        let plain: (@Sendable (@escaping Work) -> Void)?

        /// On some other thread or task, which the checks cannot reach.
        public static var elsewhere: Worker { Worker(place: .elsewhere, plain: nil) }

        /// On the thread that hands it over (or fires it), before that call returns.
        ///
        /// So the work can run inside a scope of the code that fires it.
        public static var callingThread: Worker { Worker(place: .callingThread, plain: nil) }

        /// On a thread that plain work can be sent to, which is how the checks see what the boundary leaves there.
        ///
        /// - Parameter plain: Runs its argument on the worker as it is, carrying nothing, behind the work that was handed
        ///   over before it (on a pool's one thread, or on the queue beneath), and does not wait for it.
        /// - Returns: The worker.
        public static func reachable(_ plain: @escaping @Sendable (@escaping Work) -> Void) -> Worker {
            Worker(place: .reachable, plain: bare(plain))
        }

        /// On whatever thread drains the boundary, which can be inside somebody's scope: a run loop, an event loop's
        /// tick, a batch that somebody flushes.
        ///
        /// - Parameters:
        ///   - plain: Where there is a way to do so, hands over its argument as it is, carrying nothing, to run in the
        ///     same drain as the work that was handed over before it.
        ///   - drain: Runs, before it returns and on the thread that calls it, what was handed over so far.
        /// - Returns: The worker.
        public static func drained(
            plain: (@Sendable (@escaping Work) -> Void)? = nil,
            _ drain: @escaping @Sendable () -> Void
        ) -> Worker {
            Worker(place: .drained(drain), plain: plain.map(bare))
        }

        /// With nothing bound: in automatic mode, a plain call carries.
        private static func bare(
            _ plain: @escaping @Sendable (@escaping Work) -> Void
        ) -> @Sendable (@escaping Work) -> Void {
            { work in withIdentity(nil) { plain(work) } }
        }
    }

    /// Says where the work runs; without this, on a worker that the checks cannot reach.
    ///
    /// - Parameter worker: Where.
    /// - Returns: The boundary, with that known.
    public func running(on worker: Worker) -> BoundaryConformance {
        var copy = self
        copy.worker = worker
        if case .callingThread = worker.place { copy.isAwaited = true }
        return copy
    }
}
