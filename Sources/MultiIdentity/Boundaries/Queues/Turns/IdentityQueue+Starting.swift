import CMultiIdentity

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
