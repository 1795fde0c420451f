extension RuleModel {
    /// A boundary of the adopter's captures at its capture point, like any other.
    mutating func takeBoundary(
        _ action: ScheduledStep.Action,
        _ name: ScheduledWorker,
        _ worker: ModelWorker
    ) -> StepEffect? {
        switch action {
        case .over(let boundary, let work):
            guard isNew(work), let traits = boundaries[boundary], traits.isPrepared || !isBusy(boundary) else {
                return nil
            }
            works[work] = ModelWork(traits.hasTwoSteps ? .prepared : .once, worker.top.level)
            works[work]?.boundary = boundary
            return traits.hasTwoSteps ? StepEffect(.rest(name)) : letRun(work, traits, name)
        case .fire(let work):
            guard let fired = works[work], fired.kind == .prepared, fired.isHeld, let boundary = fired.boundary,
                let traits = boundaries[boundary], isInDrain(fired) || !isBusy(boundary)
            else { return nil }
            if !traits.isReusable || !traits.isPrepared { works[work]?.isHeld = false }
            return letRun(work, traits, name)
        default:
            return nil
        }
    }

    private mutating func letRun(_ work: Int, _ traits: BoundaryTraits, _ name: ScheduledWorker) -> StepEffect? {
        var effect = StepEffect(.rest(.work(work)))
        effect.arrivals[work] = .work(work)
        if traits.isAwaited {
            wait(name, for: work)
        } else {
            effect.reports.insert(.rest(name))
        }
        begin(.work(work), with: work, isAsync: traits.isAsync)
        return effect
    }

    /// True if the boundary has a worker that may be its only one, or work that its next drain would run.
    private func isBusy(_ boundary: String) -> Bool {
        works.values.contains { $0.boundary == boundary && ($0.isRunning || isInDrain($0)) }
    }

    /// True if work was handed over already, and waits in its boundary to be drained.
    func isInDrain(_ work: ModelWork) -> Bool {
        guard work.kind == .prepared, work.isHeld, let traits = work.boundary.flatMap({ boundaries[$0] }) else {
            return false
        }
        return !traits.isPrepared && !work.isRunning
    }
}
