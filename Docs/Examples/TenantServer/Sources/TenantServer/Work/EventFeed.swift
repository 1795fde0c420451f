import Dispatch

/// Events that a timer makes: each is made by the one before, on a queue.
struct EventFeed: Sendable {
    let queue: any WorkQueue
    var interval = DispatchTimeInterval.milliseconds(1)

    /// - Parameters:
    ///   - count: How many.
    ///   - errand: The user's errand.
    /// - Returns: The events; they end early where nobody reads them any more.
    func events(_ count: Int, for errand: Errand) -> AsyncStream<Sighting> {
        AsyncStream { continuation in tick(1, of: count, for: errand, into: continuation) }
    }

    private func tick(
        _ number: Int,
        of count: Int,
        for errand: Errand,
        into continuation: AsyncStream<Sighting>.Continuation
    ) {
        queue.submit(after: interval) {
            guard case .enqueued = continuation.yield(errand.sighting(at: "event \(number)")), number < count else {
                return continuation.finish()
            }
            tick(number + 1, of: count, for: errand, into: continuation)
        }
    }
}
