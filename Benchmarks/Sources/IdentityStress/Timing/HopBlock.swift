import Dispatch
import Synchronization

/// A short run of equal hops to be timed, on queues that nobody else uses.
struct HopBlock: Sendable {
    let hops: Int
    let lane: Lane
    private let countdown: Countdown

    init(hops: Int, lane: Lane) {
        self.hops = hops
        self.lane = lane
        countdown = Countdown(from: hops)
    }

    /// The work that each hop hands over: it counts itself, and captures one reference.
    var work: @Sendable () -> Void {
        { [countdown] in countdown.step() }
    }

    /// Calls `handOver` once for each hop, and waits until all the work has run.
    func each(_ handOver: () -> Void) {
        for _ in 0..<hops { handOver() }
        countdown.wait()
    }

    /// The same on a queue that is suspended until all has been handed over.
    func held(_ queue: DispatchQueue, _ handOver: () -> Void) {
        queue.suspend()
        for _ in 0..<hops { handOver() }
        queue.resume()
        countdown.wait()
    }
}

/// Opens when it has been stepped as often as was said.
private final class Countdown: Sendable {
    private let remaining: Atomic<Int>
    private let end = DispatchSemaphore(value: 0)

    init(from count: Int) {
        remaining = Atomic(count)
    }

    func step() {
        if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { end.signal() }
    }

    func wait() { end.wait() }
}
