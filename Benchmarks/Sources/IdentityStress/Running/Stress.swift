import Dispatch
import Foundation
import MultiIdentity
import Synchronization

/// One run: requests of many identities cross all boundaries on shared queues, and each step is checked.
final class Stress: Sendable {
    let options: StressOptions
    let host = Host()
    let lanes: [Lane]
    /// The counts of each boundary in ``BoundaryCatalogue/all``.
    let tallies: [Tally] = BoundaryCatalogue.all.map { _ in Tally() }
    let mismatches = MismatchLog()
    /// One slot for each request that may be in flight.
    let slots: DispatchSemaphore
    private let intake: Mutex<Intake>

    var sabotage: Sabotage? { options.sabotage }
    var isAutomatic: Bool { options.isAutomatic }

    /// Returns whether work crosses a boundary without the package.
    func isRaw(_ place: Int) -> Bool {
        place == sabotage?.work || isAutomatic && BoundaryCatalogue.all[place].isReachedAutomatically
    }

    init(_ options: StressOptions) {
        self.options = options
        // A request has at most one language step for each package step.
        lanes = (0..<options.depth * 2).map { Lane("lane-\($0)") }
        slots = DispatchSemaphore(value: options.concurrency)
        intake = Mutex(Intake(options))
    }

    /// Ends the run soon, with the report so far.
    func stop(_ reason: RunEnd) { intake.withLock { $0.stop(reason) } }

    /// The hops over the package's boundaries so far.
    var hops: Int { tallies.prefix(BoundaryCatalogue.carried.count).reduce(0) { $0 + $1.ran } }
    /// Wrong identities so far.
    var wrong: Int { tallies.reduce(0) { $0 + $1.wrong } }

    /// Runs on the calling thread, and blocks it; another thread must drain the main queue.
    func run() -> Report {
        let start = ContinuousClock.now
        runRequests()
        let (end, requests, hash) = intake.withLock { ($0.end ?? .hops, $0.requestCount, $0.workloadHash) }
        return Report(self, end: end, elapsed: .now - start, requests: requests, workloadHash: hash)
    }

    private func runRequests() {
        let drivers = DispatchGroup()
        for number in 0..<options.driverCount {
            drivers.enter()
            // Unowned: what a thread's closure releases last is released as the thread exits, when libdispatch has already freed
            // what the channel's `close` would use (Docs/Reliability.md, "Bugs in Swift and libdispatch").
            Thread.detachNewThread { [unowned self] in
                drive(number)
                drivers.leave()
            }
        }
        drivers.wait()
        // All slots are free when nothing is in flight.
        var taken = 0
        while taken < options.concurrency, takeSlot() { taken += 1 }
        for _ in 0..<taken { slots.signal() }
    }

    /// Starts requests under the driver's own identity, which must be restored after each.
    private func drive(_ number: Int) {
        let driver = try? Identity("driver-\(number)@stress.example")
        let expected = Expectation(thread: driver, twin: driver, ui: host.ui, process: host.process)
        withIdentity(driver) {
            while takeSlot() {
                guard let request = nextRequest() else {
                    slots.signal()
                    return
                }
                request.begin()
                Hop(request: request, index: 0, callerIsOnMain: false).check(expected, .driver, isOnMain: false)
            }
        }
    }

    private func nextRequest() -> Request? {
        intake.withLock { $0.next() }.map { Request($0.call, number: $0.number, steps: $0.steps, stress: self) }
    }

    /// Waits until a request may begin; returns `false` if nothing has happened for so long that work must be lost.
    private func takeSlot() -> Bool {
        var idle = 0
        var ran = tallies.reduce(0) { $0 + $1.ran }
        while slots.wait(timeout: .now() + .seconds(1)) == .timedOut {
            let now = tallies.reduce(0) { $0 + $1.ran }
            idle = now == ran ? idle + 1 : 0
            ran = now
            if idle >= options.patience {
                stop(.stalled)
                return false
            }
        }
        return true
    }
}
