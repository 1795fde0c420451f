import Dispatch
import Synchronization

/// Makes the iterations of a `concurrentPerform` run on two threads: the first one waits for another.
final class Meeting: Sendable {
    static let iterations = 2

    private let arrivals = Atomic(0)
    private let second = DispatchSemaphore(value: 0)
    private let crossing: any BoundaryCrossing

    init(on crossing: any BoundaryCrossing) { self.crossing = crossing }

    /// Runs the crossing's work once another iteration runs too.
    func attend() {
        let arrival = arrivals.add(1, ordering: .acquiringAndReleasing).newValue
        if arrival == 2 { second.signal() }
        if arrival == 1, second.wait(timeout: .now() + .seconds(5)) != .success {
            crossing.refuse("no second thread took part within 5 seconds")
        }
        crossing.part(arrival, of: Self.iterations)()
    }
}
