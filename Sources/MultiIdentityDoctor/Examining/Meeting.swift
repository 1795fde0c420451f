import Dispatch
import Synchronization

/// Has the iterations of a `concurrentPerform` run on two threads for certain: the first that comes waits for another.
final class Meeting: Sendable {
    static let iterations = 2

    private let arrivals = Atomic(0)
    private let second = DispatchSemaphore(value: 0)
    private let crossing: Crossing

    init(on crossing: Crossing) {
        self.crossing = crossing
        crossing.expect(Self.iterations)
    }

    /// Runs `work` once another iteration runs too.
    func attend(_ work: () -> Void) {
        let arrival = arrivals.add(1, ordering: .acquiringAndReleasing).newValue
        if arrival == 2 { second.signal() }
        if arrival == 1, second.wait(timeout: .now() + .seconds(5)) != .success {
            crossing.refuse("no second thread helped within 5 seconds")
        }
        work()
    }
}
