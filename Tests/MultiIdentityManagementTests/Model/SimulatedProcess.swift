import MultiIdentity
@_spi(Checks) import MultiIdentityTesting

/// The tasks of one simulated process: each continues only when the simulation says so, and none after a kill.
///
/// A kill gives no notice: a task that waits at an `await` never continues, no `defer` runs, and nothing is cancelled.
final class SimulatedProcess: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isDead = false
    }

    private let state = Locked(State())

    var isDead: Bool { state.withLock { $0.isDead } }
    var hasWork: Bool { state.withLock { !$0.jobs.isEmpty } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { if !$0.isDead { $0.jobs.append(job) } }
    }

    /// Continues one task to its next `await`: any of those that can continue.
    func step(_ dice: inout Dice) {
        let count = state.withLock { $0.jobs.count }
        guard count > 0 else { return }
        step(dice.below(count))
    }

    /// Continues one task; `nil` is the newest.
    func step(_ chosen: Int? = nil) {
        let count = state.withLock { $0.jobs.count }
        guard count > 0 else { return }
        let chosen = chosen ?? count - 1
        let job = state.withLock { state in
            state.jobs.swapAt(chosen, count - 1)
            return state.jobs.removeLast()
        }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    func kill() {
        state.withLock {
            $0.isDead = true
            // Jobs that never continue are never freed either, just as a process's memory is freed only at its end.
            $0.jobs = []
        }
    }
}

/// A random generator that is deterministic by seed.
struct Dice: Sendable {
    private var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A separate generator for one thing, so that its draws do not depend on the order of others.
    init(_ seed: UInt64, of name: String, _ number: Int) {
        var mixed = seed &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15
        for byte in name.utf8 { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.init(mixed)
        _ = next()
    }

    mutating func next() -> UInt64 { generator.next() }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }
}
