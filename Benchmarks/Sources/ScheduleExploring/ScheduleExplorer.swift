import Dispatch
import MultiIdentity

/// Runs random schedules of threads, queues, work items and tasks on the real code, beside a model of the rules.
///
/// A schedule is made from a seed. Real threads, queues and tasks take its steps one at a time, so that one seed gives
/// one interleaving, always. After each step, what the rules say is compared with what is found at every worker: the
/// thread level, the levels in force, and whom work counts as for each purpose. In the end nothing may be kept.
///
/// A schedule that fails is shrunk to a minimal one, which the error prints, with a line that replays it.
package struct ScheduleExplorer: Sendable {
    /// The seed that the schedule is made from.
    package let seed: UInt64
    /// The number of steps in the schedule.
    package let steps: Int

    var setup: ExplorationSetup
    var families: StepFamilies
    /// The most runs that may be spent on shrinking.
    var mostReruns = 1_000

    init(seed: UInt64, steps: Int, families: StepFamilies = .everything, setup: ExplorationSetup) {
        self.seed = seed
        self.steps = steps
        self.families = families
        self.setup = setup
    }

    /// Makes a schedule from the seed and runs it.
    ///
    /// - Returns: What was done.
    /// - Throws: ``ExplorationFailure`` where the code did not do what the rules say, with a minimal schedule;
    ///   ``ScheduleError`` with the code ``ScheduleError/Code/badSetting`` where the exploration makes no sense.
    @discardableResult
    package func run() async throws -> Exploration {
        try checkSetting()
        return try await onThreadOfItsOwn { try explore() }.get()
    }

    /// Runs a schedule that was printed, or written by hand, as it stands.
    ///
    /// - Parameter schedule: The schedule; its steps name identities and boundaries that this exploration has.
    /// - Returns: What was done.
    /// - Throws: ``ExplorationFailure`` where the code did not do what the rules say; it is not shrunk.
    ///   ``ScheduleError`` where the schedule names what is not there, or a step cannot be taken where it stands.
    @discardableResult
    package func replay(_ schedule: Schedule) async throws -> Exploration {
        try checkSetting()
        try setup.check(schedule)
        var replaying = self
        for case .thread(let number) in schedule.steps.map(\.worker) {
            replaying.setup.threads = max(replaying.setup.threads, number)
        }
        var model = replaying.setup.model
        for (index, step) in schedule.steps.enumerated() where model.take(step) == nil {
            throw ScheduleError(.impossibleStep, "cannot be taken there. Mend or remove it.").at(step: index + 1, step)
        }
        return try await onThreadOfItsOwn { [replaying] in
            let run = ScheduleRun(schedule.steps, replaying.setup)
            if let divergence = run.divergence { throw replaying.failure(divergence, run, seed: nil) }
            return Exploration(run)
        }.get()
    }

    /// The schedule that ``run()`` runs.
    ///
    /// - Returns: The schedule; the same one each time.
    /// - Throws: ``ScheduleError`` with the code ``ScheduleError/Code/badSetting`` where the exploration makes no sense.
    package func schedule() throws(ScheduleError) -> Schedule {
        try checkSetting()
        return Schedule(generated())
    }

    private func checkSetting() throws(ScheduleError) {
        func check(_ holds: Bool, _ fault: String) throws(ScheduleError) {
            if !holds { throw ScheduleError(.badSetting, fault) }
        }
        try check((0...100_000).contains(steps), "steps is \(steps); give a number from 0 to 100000.")
        let threads = setup.threads
        let most = Schedule.mostThreads
        try check((1...most).contains(threads), "workers is \(threads); give a number from 1 to \(most).")
        let identities = setup.identities
        try check(!identities.isEmpty, "identities is empty; give at least one.")
        try check(Set(identities).count == identities.count, "identities has one twice; give each once.")
        try check(!identities.contains(.nobody), "identities has nobody, who takes part anyway; leave it out.")
        let names = setup.boundaries.map(\.name)
        for name in names where names.count(where: { $0 == name }) > 1 {
            throw ScheduleError(.badSetting, "boundaries has two that schedules call \"\(name)\"; name them apart.")
        }
    }

    private func generated() -> [ScheduledStep] {
        var generator = ScheduleGenerator(
            seed: seed,
            identities: setup.identities.count,
            threads: setup.threads,
            model: setup.model,
            families: families
        )
        return generator.schedule(steps)
    }

    private func explore() throws -> Exploration {
        let run = ScheduleRun(generated(), setup)
        guard let divergence = run.divergence else { return Exploration(run) }
        throw shrunk(divergence, run)
    }

    /// One exploration runs at a time: its workers block their threads, of which the pool has a limited number.
    private static let queue = DispatchQueue(label: "schedule.explorer")

    /// Away from the caller's thread and task, since a run blocks.
    private func onThreadOfItsOwn(
        _ body: @escaping @Sendable () throws -> Exploration
    ) async -> Result<Exploration, any Error> {
        await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: Result(catching: body)) }
        }
    }
}
