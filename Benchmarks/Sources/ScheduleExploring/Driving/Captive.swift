import Dispatch
import MultiIdentity
import Synchronization

/// An object that each piece of work captures, so that it shows when the work is released.
final class Captive: Sendable {
    /// The pieces of work that something still keeps.
    final class Roster: Sendable {
        private let living = Mutex<[Int: Int]>([:])
        private let changed = DispatchSemaphore(value: 0)

        fileprivate func enter(_ work: Int) { living.withLock { $0[work, default: 0] += 1 } }

        fileprivate func leave(_ work: Int) {
            living.withLock { living in
                let left = (living[work] ?? 0) - 1
                living[work] = left > 0 ? left : nil
            }
            changed.signal()
        }

        /// Waits until nothing is kept any more, and returns what still is by the deadline, in order.
        func remaining(at deadline: DispatchTime) -> [Int] {
            while true {
                let remaining = living.withLock { $0.keys.sorted() }
                if remaining.isEmpty || changed.wait(timeout: deadline) == .timedOut { return remaining }
            }
        }
    }

    private let work: Int
    private let roster: Roster

    init(of work: Int, in roster: Roster) {
        self.work = work
        self.roster = roster
        roster.enter(work)
    }

    deinit { roster.leave(work) }
}
