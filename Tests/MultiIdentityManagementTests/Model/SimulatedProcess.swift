import MultiIdentity
@_spi(Checks) import MultiIdentityTesting

/// The tasks of one simulated process: each goes on only when the simulation says so, and none does after a kill.
///
/// A kill takes no notice: what waits at any `await` never goes on, no `defer` runs, nothing is cancelled.
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

    /// Has one task go on to its next `await`: any of those that could.
    func step(_ dice: inout Dice) {
        let count = state.withLock { $0.jobs.count }
        guard count > 0 else { return }
        step(dice.below(count))
    }

    /// Has one task go on; the newest for `nil`.
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
            // What never goes on is never freed either, as the memory of a process is only with its end.
            $0.jobs = []
        }
    }
}

/// Dice that fall the same for the same seed.
struct Dice: Sendable {
    private var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Dice of a thing's own, so that what befalls it does not depend on the order of others.
    init(_ seed: UInt64, of name: String, _ number: Int) {
        var mixed = seed &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15
        for byte in name.utf8 { mixed = (mixed ^ UInt64(byte)) &* 0x100_0000_01b3 }
        self.init(mixed)
        _ = next()
    }

    mutating func next() -> UInt64 { generator.next() }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }
}
