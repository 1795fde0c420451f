import Dispatch
import MultiIdentity

/// One run of a schedule: the model of the rules and the real code, side by side.
struct ScheduleRun: Sendable {
    /// The steps that were taken: those of the schedule that could be, and then those towards the end, where nothing is
    /// open, pending or kept.
    private(set) var steps: [ScheduledStep] = []
    /// The number of ``steps`` that are the schedule's own.
    private(set) var scheduled = 0
    /// The index in the schedule of the first step that could not be taken.
    private(set) var firstImpossible: Int?
    /// A line a step: who did what, and what was found at every worker then.
    private(set) var trace: [String] = []
    private(set) var divergence: Divergence?

    private var model: RuleModel
    private let setup: ExplorationSetup
    private let stage: Stage
    private var started: Set<ScheduledWorker> = []

    /// Runs `schedule` to its end, or to the first divergence; blocks meanwhile.
    init(_ schedule: [ScheduledStep], _ setup: ExplorationSetup) {
        self.setup = setup
        model = setup.model
        stage = Stage(setup)
        defer { stage.close() }
        for (index, step) in schedule.enumerated() {
            if take(step) { scheduled += 1 } else { firstImpossible = firstImpossible ?? index }
            if divergence != nil { return }
        }
        while divergence == nil, let step = model.settlingStep { take(step) }
        if divergence == nil { checkReleases() }
    }

    /// Takes a step on both sides and compares.
    ///
    /// - Returns: Whether it could be taken.
    @discardableResult
    private mutating func take(_ step: ScheduledStep) -> Bool {
        var next = model
        guard let effect = next.take(step) else { return false }
        model = next
        steps.append(step)
        divergence = drive(step, effect)
        return true
    }

    private mutating func drive(_ step: ScheduledStep, _ effect: StepEffect) -> Divergence? {
        var found: [ScheduledWorker: Observation] = [:]
        if case .thread = step.worker, started.insert(step.worker).inserted {
            stage.start(step.worker)
            if let divergence = hear([.rest(step.worker)], &found) { return divergence }
        }
        stage.expect(effect.arrivals)
        switch step.action {
        case .run:
            if case .queue(let number) = step.worker { stage.queues[number - 1].release() }
        case .leave(let how): stage.send(.leave(how), to: step.worker)
        default: stage.send(.take(step.action), to: step.worker)
        }
        found = [:]
        if let divergence = hear(effect.reports, &found) { return divergence }
        for queue in effect.notified { stage.queues[queue - 1].addGate() }
        return compare(step, found)
    }

    /// Waits for all of `reports`.
    private func hear(
        _ reports: Set<StepEffect.Report>,
        _ found: inout [ScheduledWorker: Observation]
    ) -> Divergence? {
        var missing = reports
        let deadline = setup.patience.deadline
        func said(_ reports: Set<StepEffect.Report>) -> String {
            reports.map { "\($0)" }.sorted().joined(separator: ", ")
        }
        while !missing.isEmpty {
            guard let entry = stage.reports.next(by: deadline) else {
                let found = "nothing, for \(setup.patience)"
                return Divergence(
                    kind: .stuck,
                    place: "the step",
                    what: "what follows",
                    expected: said(missing),
                    found: found
                )
            }
            guard missing.remove(entry.report) != nil else {
                return Divergence(
                    kind: .event,
                    place: "the step",
                    what: "what follows",
                    expected: said(missing),
                    found: "\(entry.report)"
                )
            }
            if case .rest(let worker) = entry.report { found[worker] = entry.observation }
        }
        return nil
    }

    /// Compares what is found at every worker that waits with what the rules say.
    private mutating func compare(_ step: ScheduledStep, _ heard: [ScheduledWorker: Observation]) -> Divergence? {
        let expectations = model.expectations.sorted { $0.key < $1.key }
        var found = heard
        let others = expectations.map(\.key).filter { worker in
            if case .thread = worker, !started.contains(worker) { return false }  // it has done nothing yet
            return found[worker] == nil
        }
        for worker in others { stage.send(.look, to: worker) }
        if let divergence = hear(Set(others.map { .rest($0) }), &found) { return divergence }
        let shown = found.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
        trace.append("\(steps.count). \(step): \(shown)")
        // The worker of the step first, where a fault shows soonest.
        let order = expectations.sorted { ($0.key == step.worker ? 0 : 1) < ($1.key == step.worker ? 0 : 1) }
        for (worker, expectation) in order {
            guard let difference = found[worker]?.difference(from: expectation, setup.identities) else { continue }
            return Divergence(
                kind: .identity,
                place: "\(worker)",
                what: difference.what,
                expected: difference.expected,
                found: difference.found
            )
        }
        return nil
    }

    /// In the end nothing is kept: not by queues, items, notifications or tasks, and not by what was cancelled.
    private mutating func checkReleases() {
        let kept = stage.roster.remaining(at: setup.patience.deadline)
        guard !kept.isEmpty else { return }
        divergence = Divergence(
            kind: .leak,
            place: "the end",
            what: "work that something still keeps",
            expected: "none",
            found: kept.map { "w\($0)" }.joined(separator: ", ")
        )
    }
}
