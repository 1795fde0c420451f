import Dispatch
import Synchronization

/// Has two iterations run at the same time for certain: the first waits for the second, which must be another thread's.
///
/// Where there is no other thread the first gives up, after a time that a busy machine needs; nothing can lock up.
final class Meeting: Sendable {
    /// The number of meetings in a run.
    final class Count: Sendable {
        fileprivate let tried = Atomic(0)
        fileprivate let held = Atomic(0)

        var triedCount: Int { tried.load(ordering: .relaxed) }
        /// In which two threads met.
        var heldCount: Int { held.load(ordering: .relaxed) }
    }

    private enum Arrival {
        static let none = 0, first = 1, second = 2
    }

    private let arrivals = Atomic(Arrival.none)
    private let second = DispatchSemaphore(value: 0)
    private let count: Count

    init(_ count: Count) {
        self.count = count
    }

    /// To be called at the beginning of each iteration.
    func arrive() {
        switch arrivals.add(1, ordering: .acquiringAndReleasing).newValue {
        case Arrival.first:
            count.tried.add(1, ordering: .relaxed)
            if second.wait(timeout: .now() + .milliseconds(20)) == .success { count.held.add(1, ordering: .relaxed) }
        case Arrival.second: second.signal()
        default: break
        }
    }
}
