extension RuleModel {
    /// A task inherits from its creator, by the language or by our twin; a plain detached one starts bare.
    mutating func takeTask(
        _ action: ScheduledStep.Action,
        _ name: ScheduledWorker,
        _ worker: ModelWorker
    ) -> StepEffect? {
        switch action {
        case .task(let work), .detached(let work): return start(work, worker.top.level, name)
        case .bareDetached(let work): return start(work, .bare, name)
        case .suspend:
            guard worker.isTask, worker.top.isAsync else { return nil }
            workers[name]?.pace = .suspended
            return StepEffect(.suspended(name))
        case .resume(let work):
            guard workers[.work(work)]?.pace == .suspended else { return nil }
            workers[.work(work)]?.pace = .atRest
            return StepEffect(.rest(name), .rest(.work(work)))
        default: return nil
        }
    }

    private mutating func start(_ work: Int, _ level: ModelThreadLevel, _ name: ScheduledWorker) -> StepEffect? {
        guard isNew(work), workers.values.count(where: \.isTask) < Self.mostTasks else { return nil }
        works[work] = ModelWork(.task, level)
        begin(.work(work), with: work, isAsync: true)
        var effect = StepEffect(.rest(name), .rest(.work(work)))
        effect.arrivals[work] = .work(work)
        return effect
    }

    private static let mostTasks = 4

    /// Cancelling keeps an item from running, and asks a task to end; it changes nobody's identity.
    mutating func cancel(_ work: Int, _ name: ScheduledWorker) -> StepEffect? {
        guard let cancelled = works[work] else { return nil }
        switch cancelled.kind {
        case .item:
            guard cancelled.isHeld else { return nil }
            works[work]?.isCancelled = true
        case .task:
            guard workers[.work(work)] != nil else { return nil }
            workers[.work(work)]?.isCancelled = true
        case .once, .wrapped, .prepared:
            return nil
        }
        return StepEffect(.rest(name))
    }

    /// Drops work, which can no longer be run; what was handed over before still runs.
    mutating func drop(_ work: Int, _ name: ScheduledWorker) -> StepEffect? {
        guard let dropped = works[work], dropped.isHeld, !dropped.isRunning, dropped.observer == nil else { return nil }
        switch dropped.kind {
        case .item, .wrapped: works[work]?.isHeld = false
        case .prepared where !isInDrain(dropped): works[work]?.isHeld = false
        case .once, .task, .prepared: return nil
        }
        return StepEffect(.rest(name))
    }
}
