extension RuleModel {
    /// Scopes nest, the inner one wins, and however it is left the outer one is back.
    mutating func takeScope(
        _ action: ScheduledStep.Action,
        _ name: ScheduledWorker,
        _ worker: ModelWorker
    ) -> StepEffect? {
        var frame = worker.top
        frame.kind = .scope
        frame.canThrow = true
        switch action {
        case .bind(let identity):
            frame.level.identity = identity
            return open(frame, on: name)
        case .ownLevels:
            frame.level.levels = levels.count + 1
            guard let effect = open(frame, on: name) else { return nil }
            levels.append(ModelLevels())
            return effect
        case .setProcess(let identity):
            guard let number = frame.level.levels else { return nil }
            levels[number - 1].process = identity
            return StepEffect(.rest(name))
        case .setUI(let identity):
            guard let number = frame.level.levels else { return nil }
            levels[number - 1].ui = identity
            return StepEffect(.rest(name))
        case .leave(let how):
            return leave(how, name, worker)
        default:
            return nil
        }
    }

    private mutating func leave(_ how: Leaving, _ name: ScheduledWorker, _ worker: ModelWorker) -> StepEffect? {
        let frame = worker.top
        switch how {
        case .returned: break
        case .thrown: guard frame.canThrow else { return nil }
        case .cancelled: guard frame.canThrow, frame.isAsync, worker.isCancelled else { return nil }
        }
        switch frame.kind {
        case .bottom:
            return nil
        case .scope:
            workers[name]?.frames.removeLast()
            return StepEffect(.rest(name))
        case .inline(let work):
            workers[name]?.frames.removeLast()
            var effect = StepEffect(.rest(name))
            complete(work, &effect)
            return effect
        case .root(let work):
            return end(name, work)
        }
    }

    /// Ends the worker with the work that began it; a worker that waited for that goes on.
    private mutating func end(_ name: ScheduledWorker, _ work: Int) -> StepEffect? {
        workers[name] = nil
        var effect =
            if case .queue(let queue) = name {
                StepEffect(.passed(queue: queue))
            } else {
                StepEffect(.ended(work: work))
            }
        if let waiter = works[work]?.waiter {
            workers[waiter]?.pace = .atRest
            works[work]?.waiter = nil
            effect.reports.insert(.rest(waiter))
        }
        complete(work, &effect)
        return effect
    }

    /// Runs a wrapped closure as the captured identity, unset included, on any worker that calls it.
    mutating func takeWrapped(
        _ action: ScheduledStep.Action,
        _ name: ScheduledWorker,
        _ worker: ModelWorker
    ) -> StepEffect? {
        switch action {
        case .capture(let work):
            guard isNew(work) else { return nil }
            works[work] = ModelWork(.wrapped, worker.top.level)
            return StepEffect(.rest(name))
        case .call(let work):
            guard let wrapped = works[work], wrapped.kind == .wrapped, wrapped.isHeld else { return nil }
            return open(
                ModelWorker.Frame(
                    level: wrapped.level,
                    kind: .inline(work: work),
                    isAsync: worker.top.isAsync,
                    canThrow: true
                ),
                on: name
            )
        default:
            return nil
        }
    }
}
