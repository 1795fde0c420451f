import MultiIdentity

/// Work and whom it is for, in one place that can be emptied while somebody keeps the closure that runs it.
///
/// Foundation on Linux keeps closures longer than it needs them: a timer's for ever, a thread's beyond the end of what
/// libdispatch keeps for the thread, so that whatever uses Dispatch when it is released there corrupts the heap (6.3.1).
final class HeldWork<Work: Sendable>: Sendable {
    private struct Content: Sendable {
        let captured: BoundaryCapture
        let work: Work
    }

    private let content: Locked<Content?>

    init(_ work: Work, _ captured: BoundaryCapture) {
        content = Locked(Content(captured: captured, work: work))
    }

    /// Runs the work, unless it was let go of, as the captured identity.
    func run(_ call: (Work) -> Void) {
        guard let content = content.withLock({ $0 }) else { return }
        // To the end of the work's scope, so that nothing is released inside it.
        withExtendedLifetime(content) { content.captured.restore { call(content.work) } }
    }

    /// Runs the work, unless it was let go of, for the last time: both are released before this returns.
    func runOnce(_ call: (Work) -> Void) {
        guard let content = take() else { return }
        withExtendedLifetime(content) { content.captured.restoreOnce { call(content.work) } }
    }

    /// Releases the work and whom it is for; work that runs keeps them until it has.
    func letGo() { withExtendedLifetime(take()) {} }

    /// Out of the lock, since the last release of what work captured can run anybody's code.
    private func take() -> Content? {
        content.withLock { content in
            let last = content
            content = nil
            return last
        }
    }
}
