/// The pause of a pool whose resources cannot be opened: one for all who wait.
struct OpeningBackoff: Sendable {
    private var failures = 0
    /// The moment from which on one may be opened again; `nil` where nothing has failed.
    private(set) var end: Duration?
    /// The last error, for those who then wait in vain.
    private(set) var lastError: (any Error)?

    /// Returns whether a resource may be opened now.
    ///
    /// Of those that come after a failure one may, and the others wait for what comes of it.
    mutating func admits(_ now: Duration, _ limits: PoolLimits) -> Bool {
        guard let end else { return true }
        guard now >= end else { return false }
        self.end = now + limits.maxBackoff
        return true
    }

    mutating func failed(_ error: any Error, _ now: Duration, _ limits: PoolLimits) {
        if limits.initialBackoff <= .zero { return }
        let doubled = limits.initialBackoff * (1 << min(failures, 20))
        failures += 1
        lastError = error
        end = now + min(doubled, limits.maxBackoff) * Double.random(in: 0.5...1)
    }

    /// Returns whether something had failed, and forgets it.
    mutating func succeeded() -> Bool {
        defer { self = OpeningBackoff() }
        return end != nil
    }
}
