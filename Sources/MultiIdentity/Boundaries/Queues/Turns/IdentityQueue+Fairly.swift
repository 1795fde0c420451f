import CMultiIdentity

extension IdentityQueue.Draining {
    /// What a fair queue shares among the identities that work there.
    public enum Measure: Sendable, Hashable, CaseIterable {
        /// The CPU time of the queue's threads: one system call for each piece of work.
        case cpuTime
        /// The time that work takes, waiting included.
        case wallTime
        /// The number of pieces of work, whatever they cost.
        case pieces
    }

    /// Serves the identities in turn, however much work each has handed over: for queues that many users share.
    ///
    /// ```swift
    /// let rendering = IdentityQueue(label: "rendering", attributes: .concurrent, draining: .fairly(by: .cpuTime))
    /// ```
    ///
    /// Captured when dispatched. Work waits in a line of the identity that is bound when it is handed over. The queue runs next
    /// the first piece of the identity that has used least so far, relative to its weight. A piece is paid for when it has run, and
    /// nothing interrupts it: an identity that has used little waits for at most the pieces that run. An identity that was idle has
    /// saved up nothing.
    ///
    /// Unset and nobody each have a line, like any identity. A name has one line, with or without actors: work that support does
    /// for Ada is Ada's. Work whose owner was revoked in the meantime runs as nobody, at its place in the former owner's line
    /// and at its cost; a readmission changes nothing about what a name has used. A work item waits in the line of the identity
    /// that hands it over.
    ///
    /// Within one identity all keeps Dispatch's order. The order *between* identities is what a fair queue gives up:
    /// - A barrier runs alone. It runs after what its own identity handed over before, and before what that hands over
    ///   later; it waits for no one else's line.
    /// - `sync` and groups wait for their own work, and so not for what others have handed over before.
    /// - Work that reaches ``IdentityQueue/base`` without this type's methods waits in no line, and is not counted.
    /// - Delayed work and notifications go to the end of their line when they are due.
    ///
    /// A concurrent queue runs as many pieces at a time as there are processors, and work that blocks takes one of these
    /// places. Work that waits there for other work of the same queue can therefore wait forever, except in a `sync` of its
    /// own, which runs at once. Suspend and retarget the queue with its own methods; a quality of service of single pieces
    /// has no effect on Linux, and elsewhere only while the piece runs. The main queue cannot be fair; a fair queue can target it.
    ///
    /// - Parameters:
    ///   - measure: What is shared.
    ///   - weights: Returns the weight of an identity, or of unset: one of weight 2 may use twice as much as one of weight 1.
    ///     A weight outside 0.01…100, or one that is no number, counts as the nearest of these limits, which is reported once.
    ///     The queue asks when an identity hands over its first work, and again after the queue has forgotten it. `nil`
    ///     for the same weight for all.
    /// - Returns: The mode.
    public static func fairly(
        by measure: Measure = .cpuTime,
        weights: (@Sendable (Identity?) -> Double)? = nil
    ) -> IdentityQueue.Draining {
        IdentityQueue.Draining(fairly: FairTerms(measure, weights))
    }
}

// For operation queues: their operations begin in turn.
extension IdentityQueue {
    /// Runs `start` in the line of an identity; it binds nothing.
    ///
    /// - Parameters:
    ///   - start: The work; it returns false if it goes on when it returns. Then it keeps its place until ``startedHasEnded()``.
    ///   - identity: The identity.
    package func start(_ start: @escaping @Sendable () -> Bool, inLineOf identity: Identity?) {
        turns?.add(.started(start), for: identity)
    }

    package func startedHasEnded() { turns?.startedHasEnded() }

    /// Sets how many pieces may run at once: as many as there are processors if `nil`.
    package func setPlaces(_ count: Int?) { turns?.setWidth(count ?? Int(mi_processor_count())) }
}

extension IdentityQueue.Draining {
    /// Reports an operation queue that was to be fair and is not, since it does not see when its operations are ready.
    package static func notifyOfNoTurns() {
        let here = ThreadMirror.current()
        here.levels.diagnosticSettings.notify(
            Finding(
                kind: .unfairQueue,
                identity: here.identity,
                site: nil,
                hops: [],
                message: """
                    an operation queue was made to drain .fairly and serves no identity in turn: its operations get stand-ins. \
                    Link the Swift runtime dynamically, with fast paths on, or use a fair IdentityQueue.
                    """
            )
        )
    }
}
