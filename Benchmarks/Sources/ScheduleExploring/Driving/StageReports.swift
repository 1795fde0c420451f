import Dispatch
import MultiIdentity
import Synchronization

/// The reports of workers, in the order in which they are heard.
final class StageReports: Sendable {
    struct Entry: Sendable {
        var report: StepEffect.Report
        var observation: Observation?
    }

    private let entries = Mutex<[Entry]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func add(_ report: StepEffect.Report, _ observation: Observation? = nil) {
        entries.withLock { $0.append(Entry(report: report, observation: observation)) }
        arrived.signal()
    }

    /// The next entry, or `nil` if there is none by the deadline.
    func next(by deadline: DispatchTime) -> Entry? {
        guard arrived.wait(timeout: deadline) == .success else { return nil }
        return entries.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
