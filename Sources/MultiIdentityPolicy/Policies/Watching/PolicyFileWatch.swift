import Dispatch
import MultiIdentity

/// Watches a policy file: checks it when the system reports a change, and regularly.
final class PolicyFileWatch: Sendable {
    /// The wait after a change, so that one that takes several steps is seen once.
    private static let settling = DispatchTimeInterval.milliseconds(20)

    private let path: String
    private let lookAtFile: @Sendable () -> Void
    private let queue = DispatchQueue(label: "multi-identity.policy-file", qos: .utility)
    // Safe: a dispatch source may be used from any thread, and this one is only cancelled once it is active.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer
    private let isLookingSoon = Locked(false)
    #if os(Linux)
    private let events = Locked<FolderEvents?>(nil)
    #endif

    init(path: String, _ interval: Duration, _ look: @escaping @Sendable () -> Void) {
        self.path = path
        lookAtFile = look
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.look() }
        timer.schedule(deadline: .now(), repeating: Self.interval(interval), leeway: .milliseconds(10))
        #if os(Linux)
        let events = FolderEvents(on: queue) { [weak self] in self?.lookSoon() }
        self.events.withLock { $0 = events }
        #endif
        timer.activate()
    }

    deinit { cancel() }

    func cancel() { timer.cancel() }

    /// Checks the file, and watches the folders that lead to it now.
    private func look() {
        #if os(Linux)
        // First, so that changes after the check are reported.
        events.withLock { $0 }?.watch(LinkChain.folders(of: path))
        #endif
        lookAtFile()
    }

    private func lookSoon() {
        let isFirst = isLookingSoon.withLock { isLookingSoon in
            defer { isLookingSoon = true }
            return !isLookingSoon
        }
        guard isFirst else { return }
        queue.asyncAfter(deadline: .now() + Self.settling) { [weak self] in
            self?.isLookingSoon.withLock { $0 = false }
            self?.look()
        }
    }

    /// The requested interval, clamped to between a millisecond and a day.
    private static func interval(_ duration: Duration) -> DispatchTimeInterval {
        let milliseconds = min(max(duration / .milliseconds(1), 1), 86_400_000)
        return .milliseconds(milliseconds.isNaN ? 1_000 : Int(milliseconds))
    }
}
