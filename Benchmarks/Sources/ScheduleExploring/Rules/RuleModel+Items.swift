extension RuleModel {
    /// An item captures when it is created, and each of its runs is under that.
    mutating func takeItem(
        _ action: ScheduledStep.Action,
        _ name: ScheduledWorker,
        _ worker: ModelWorker
    ) -> StepEffect? {
        switch action {
        case .makeItem(let work):
            guard isNew(work) else { return nil }
            works[work] = ModelWork(.item, worker.top.level)
            return StepEffect(.rest(name))
        case .dispatch(let work, let queue):
            guard works[work]?.mayRunAsItem == true else { return nil }
            hand(work, to: queue)
            return StepEffect(.rest(name))
        case .perform(let work):
            return perform(work, name)
        case .observe(let item, let queue, let work):
            return observe(item, on: queue, by: work, name, worker)
        default:
            return nil
        }
    }

    private mutating func perform(_ work: Int, _ name: ScheduledWorker) -> StepEffect? {
        guard let item = works[work], item.mayRunAsItem else { return nil }
        if item.isCancelled {
            var effect = StepEffect(.rest(name))
            complete(work, &effect)
            return effect
        }
        let frame = ModelWorker.Frame(level: item.level, kind: .inline(work: work), isAsync: false, canThrow: false)
        guard var effect = open(frame, on: name) else { return nil }
        works[work]?.isRunning = true
        effect.arrivals[work] = name
        return effect
    }

    /// A notification captures when it is registered.
    private mutating func observe(
        _ item: Int,
        on queue: Int,
        by work: Int,
        _ name: ScheduledWorker,
        _ worker: ModelWorker
    ) -> StepEffect? {
        guard isNew(work), let observed = works[item], observed.kind == .item, observed.isHeld,
            !observed.hasBeenObserved,
            observed.completions + (observed.isPending || observed.isRunning ? 1 : 0) <= 1
        else { return nil }
        works[work] = ModelWork(.once, worker.top.level)
        works[item]?.hasBeenObserved = true
        var effect = StepEffect(.rest(name))
        if observed.completions > 0 {
            hand(work, to: queue)
            effect.notified.append(queue)
        } else {
            works[item]?.observer = ModelWork.Observer(queue: queue, work: work)
        }
        return effect
    }

    /// The same for the notification of a group.
    mutating func takeGroup(
        _ action: ScheduledStep.Action,
        _ name: ScheduledWorker,
        _ worker: ModelWorker
    ) -> StepEffect? {
        var effect = StepEffect(.rest(name))
        switch action {
        case .enterGroup:
            groupEntries += 1
            groupCount += 1
        case .leaveGroup:
            guard groupEntries > 0 else { return nil }
            groupEntries -= 1
            leaveGroup(&effect)
        case .notify(let queue, let work):
            // One a queue, so that notifications can be distinguished.
            guard isNew(work), !groupNotes.contains(where: { $0.queue == queue }) else { return nil }
            works[work] = ModelWork(.once, worker.top.level)
            if groupCount == 0 {
                hand(work, to: queue)
                effect.notified.append(queue)
            } else {
                groupNotes.append(ModelWork.Observer(queue: queue, work: work))
            }
        default:
            return nil
        }
        return effect
    }
}
