/// The backoff of a pool whose resources cannot be opened, shared by all waiters.
struct OpeningBackoff: Sendable {
    private var failures = 0
    /// The moment at which a resource may be opened again; `nil` if nothing has failed.
    private(set) var end: Duration?
    /// The last error, for waiters that time out meanwhile.
    private(set) var lastError: (any Error)?

    /// Returns whether a resource may be opened now.
    ///
    /// After a failure one caller may try, and the others wait for the result.
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

    /// Returns whether something had failed, and resets the backoff.
    mutating func succeeded() -> Bool {
        defer { self = OpeningBackoff() }
        return end != nil
    }
}
