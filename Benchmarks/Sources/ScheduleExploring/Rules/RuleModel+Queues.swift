extension RuleModel {
    /// Captures in the call that hands work over.
    mutating func takeHandOver(
        _ action: ScheduledStep.Action,
        _ name: ScheduledWorker,
        _ worker: ModelWorker
    ) -> StepEffect? {
        switch action {
        case .async(let queue, let work), .barrier(let queue, let work), .grouped(let queue, let work):
            guard isNew(work) else { return nil }
            works[work] = ModelWork(.once, worker.top.level)
            if case .grouped = action {
                works[work]?.isGrouped = true
                groupCount += 1
            }
            hand(work, to: queue)
            return StepEffect(.rest(name))
        case .sync(let queue, let work):
            // Only onto a queue that has nothing else to do: nobody can tell from outside when a call has begun to wait.
            guard isNew(work), isIdle(queue), pending[queue - 1].isEmpty else { return nil }
            works[work] = ModelWork(.once, worker.top.level)
            wait(name, for: work)
            begin(.queue(queue), with: work, canThrow: true)
            var effect = StepEffect(.rest(.queue(queue)))
            effect.arrivals[work] = .queue(queue)
            return effect
        default:
            return nil
        }
    }

    /// The worker goes on when the work has ended.
    mutating func wait(_ name: ScheduledWorker, for work: Int) {
        workers[name]?.pace = .waiting
        works[work]?.waiter = name
    }

    func isIdle(_ queue: Int) -> Bool { workers[.queue(queue)] == nil }

    /// A queue runs what it was handed in that order, and skips items that are cancelled.
    mutating func run(_ name: ScheduledWorker) -> StepEffect? {
        guard case .queue(let queue) = name, isIdle(queue), let work = pending[queue - 1].first else { return nil }
        pending[queue - 1].removeFirst()
        works[work]?.isPending = false
        if works[work]?.isCancelled == true {
            var effect = StepEffect(.passed(queue: queue))
            complete(work, &effect)
            return effect
        }
        begin(name, with: work)
        var effect = StepEffect(.rest(name))
        effect.arrivals[work] = name
        return effect
    }
}
