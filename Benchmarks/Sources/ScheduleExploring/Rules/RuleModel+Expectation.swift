import MultiIdentity

extension RuleModel {
    /// The observations due at each worker that waits for its next step.
    var expectations: [ScheduledWorker: Observation] {
        workers.compactMapValues { $0.pace == .atRest ? expectation(at: $0.top.level) : nil }
    }

    private func expectation(at level: ModelThreadLevel) -> Observation {
        var found = Observation(thread: level.identity, levels: level.levels.map { .own($0) } ?? .shared)
        // The shared levels are the program's: what they hold is not known here, unless they are never asked.
        guard level.levels != nil || level.identity != .unset else { return found }
        let held = level.levels.map { levels[$0 - 1] } ?? ModelLevels()
        func answer(_ purpose: EffectiveIdentity.Purpose, onMain: Bool) -> LevelRule.Answer {
            LevelRule.answer(
                thread: level.identity,
                ui: held.ui,
                process: held.process,
                for: purpose,
                onMain: onMain
            )
        }
        found.answers = Observation.Answers(
            uiOnMain: answer(.ui, onMain: true),
            uiElsewhere: answer(.ui, onMain: false),
            files: answer(.files, onMain: false)
        )
        return found
    }

    /// The next step towards a state in which nothing is open, pending or kept; `nil` once that is reached.
    var settlingStep: ScheduledStep? {
        let resting = workers.filter { $0.value.pace == .atRest }.keys.sorted()
        guard let last = resting.last, let first = resting.first else { return nil }
        if let suspended = workers.filter({ $0.value.pace == .suspended }).keys.min(), case .work(let work) = suspended
        {
            return ScheduledStep(worker: first, action: .resume(work: work))
        }
        if let open = resting.last(where: { workers[$0]?.top.kind != .bottom }) {
            return ScheduledStep(worker: open, action: .leave(.returned))
        }
        if groupEntries > 0 { return ScheduledStep(worker: last, action: .leaveGroup) }
        if let queue = pending.firstIndex(where: { !$0.isEmpty }) {
            return ScheduledStep(worker: .queue(queue + 1), action: .run)
        }
        let held = works.filter { $0.value.isHeld }.sorted { $0.key < $1.key }
        if let observed = held.first(where: { $0.value.observer != nil }) {
            return ScheduledStep(worker: first, action: .perform(work: observed.key))
        }
        if let drained = held.first(where: { isInDrain($0.value) }) {
            return ScheduledStep(worker: first, action: .fire(work: drained.key))
        }
        if let kept = held.first(where: { [.item, .wrapped, .prepared].contains($0.value.kind) }) {
            return ScheduledStep(worker: first, action: .drop(work: kept.key))
        }
        return nil
    }
}
