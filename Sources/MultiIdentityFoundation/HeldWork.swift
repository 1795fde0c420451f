import MultiIdentity

/// Work and its identity, in one place that can be emptied while a closure that runs it is still referenced.
///
/// Foundation on Linux keeps closures longer than it needs them: a timer's for ever, a thread's until after
/// libdispatch's data of the thread, so that a release there that uses Dispatch corrupts the heap (6.3.1).
final class HeldWork<Work: Sendable>: Sendable {
    private struct Content: Sendable {
        let captured: BoundaryCapture
        let work: Work
    }

    private let content: Locked<Content?>

    init(_ work: Work, _ captured: BoundaryCapture) {
        content = Locked(Content(captured: captured, work: work))
    }

    /// Runs the work as the captured identity, unless it was released.
    func run(_ call: (Work) -> Void) {
        guard let content = content.withLock({ $0 }) else { return }
        // To the end of the work's scope, so that nothing is released inside it.
        withExtendedLifetime(content) { content.captured.restore { call(content.work) } }
    }

    /// Runs the work for the last time, unless it was released: both are released before this returns.
    func runOnce(_ call: (Work) -> Void) {
        guard let content = take() else { return }
        withExtendedLifetime(content) { content.captured.restoreOnce { call(content.work) } }
    }

    /// Releases the work and its identity; running work keeps them until it has finished.
    func letGo() { withExtendedLifetime(take()) {} }

    /// Outside the lock, since the last release of what work captured can run any code.
    private func take() -> Content? {
        content.withLock { content in
            let last = content
            content = nil
            return last
        }
    }
}
