import Dispatch
import Synchronization

/// Makes two iterations run at the same time: the first waits for the second, which must be on another thread.
///
/// If there is no other thread, the first gives up after a time that is long enough for a busy machine; nothing can deadlock.
final class Meeting: Sendable {
    /// The counts of a run.
    final class Count: Sendable {
        fileprivate let tried = Atomic(0)
        fileprivate let held = Atomic(0)

        var triedCount: Int { tried.load(ordering: .relaxed) }
        /// The number of times that two threads met.
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

    /// Call this at the beginning of each iteration.
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
