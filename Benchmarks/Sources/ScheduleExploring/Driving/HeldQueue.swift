import Dispatch
import MultiIdentity
import Synchronization

/// A queue that runs one piece of work at a time, each when it is let.
///
/// Behind each piece of work stands a gate: plain work that holds the queue again and says that it has passed. So a
/// step runs one piece of work, and skips one that was cancelled, whatever stands behind it.
final class HeldQueue: Sendable {
    let base: DispatchQueue
    private let number: Int
    private let reports: StageReports

    private struct State: Sendable {
        var isHeld = true
        var isClosed = false
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - number: From 1; the second is concurrent.
    ///   - reports: Who hears that a gate has passed.
    init(_ number: Int, _ reports: StageReports) {
        self.number = number
        self.reports = reports
        let isConcurrent = number == 2
        // On a serial queue beneath: work that waits for a step blocks its thread, and a serial queue's are not counted
        // against the small pool that the rest of the program's concurrent work shares.
        base = DispatchQueue(
            label: "schedule.q\(number)",
            attributes: isConcurrent ? .concurrent : [],
            target: isConcurrent ? DispatchQueue(label: "schedule.q\(number).target") : nil
        )
        base.suspend()
    }

    /// Lets the queue go on until its next gate.
    func release() {
        state.withLock { state in
            guard state.isHeld else { return }
            state.isHeld = false
            base.resume()
        }
    }

    /// To be called whenever the queue was handed work, and before it is handed more.
    ///
    /// A barrier, so that it waits for the work before it on a concurrent queue too.
    func addGate() {
        base.async(flags: .barrier) { [self] in
            let isHeld = state.withLock { state in
                guard !state.isClosed else { return false }
                base.suspend()
                state.isHeld = true
                return true
            }
            if isHeld { reports.add(.passed(queue: number)) }
        }
    }

    /// Lets everything run that is left: libdispatch stops a program that releases a suspended queue.
    func close() {
        state.withLock { state in
            state.isClosed = true
            guard state.isHeld else { return }
            state.isHeld = false
            base.resume()
        }
    }
}
