import Dispatch
import Testing

@testable import MultiIdentity

@Suite("Work for the distant future") struct DistantFutureTests {
    private final class Load: Sendable {}

    @Test("never runs, as in plain Dispatch, and leaks nothing", arguments: [true, false], [true, false])
    func isDropped(_ hasHandle: Bool, _ isWallClock: Bool) {
        weak var weakLoad: Load?
        do {
            let load = Load()
            weakLoad = load
            let base = DispatchQueue(label: "queue")
            let queue = hasHandle ? IdentityQueue(wrapping: base) : IdentityQueue(wrapping: base, handle: nil)
            let work: @Sendable () -> Void = {
                withExtendedLifetime(load) { _ = Issue.record("The end of time has come.") }
            }
            if isWallClock {
                queue.asyncAfter(wallDeadline: .distantFuture, execute: work)
            } else {
                queue.asyncAfter(deadline: .distantFuture, execute: work)
            }
        }
        // The thread sanitizer's own interceptor copies work that plain Dispatch drops.
        if hasHandle || !Sanitizer.isThread { #expect(weakLoad == nil) }
    }
}
