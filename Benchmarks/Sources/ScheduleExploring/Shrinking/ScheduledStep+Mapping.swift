extension ScheduledStep {
    /// The step with each number of a piece of work replaced.
    func mapping(work number: (Int) -> Int) -> ScheduledStep {
        let worker: ScheduledWorker = if case .work(let work) = worker { .work(number(work)) } else { worker }
        return ScheduledStep(worker: worker, action: action.mapping(work: number))
    }

    /// The step with each queue replaced.
    func mappingQueues(_ number: (Int) -> Int) -> ScheduledStep {
        let worker: ScheduledWorker = if case .queue(let queue) = worker { .queue(number(queue)) } else { worker }
        return ScheduledStep(worker: worker, action: action.mapping(queue: number))
    }

    /// The step with its identity replaced.
    func mappingIdentity(_ other: (HeldIdentity) -> HeldIdentity) -> ScheduledStep {
        let action: Action =
            switch action {
            case .bind(let identity): .bind(other(identity))
            case .setProcess(let identity): .setProcess(other(identity))
            case .setUI(let identity): .setUI(other(identity))
            default: action
            }
        return ScheduledStep(worker: worker, action: action)
    }
}

extension ScheduledStep.Action {
    /// The identity that a step names.
    var identity: HeldIdentity? {
        switch self {
        case .bind(let identity), .setProcess(let identity), .setUI(let identity): identity
        default: nil
        }
    }

    fileprivate func mapping(
        queue place: (Int) -> Int = { $0 },
        work number: (Int) -> Int = { $0 }
    ) -> ScheduledStep.Action {
        switch self {
        case .bind, .ownLevels, .setProcess, .setUI, .leave, .run, .enterGroup, .leaveGroup, .suspend: self
        case .capture(let work): .capture(work: number(work))
        case .call(let work): .call(work: number(work))
        case .async(let queue, let work): .async(queue: place(queue), work: number(work))
        case .barrier(let queue, let work): .barrier(queue: place(queue), work: number(work))
        case .grouped(let queue, let work): .grouped(queue: place(queue), work: number(work))
        case .sync(let queue, let work): .sync(queue: place(queue), work: number(work))
        case .makeItem(let work): .makeItem(work: number(work))
        case .dispatch(let work, let queue): .dispatch(work: number(work), queue: place(queue))
        case .perform(let work): .perform(work: number(work))
        case .observe(let item, let queue, let work):
            .observe(item: number(item), queue: place(queue), work: number(work))
        case .notify(let queue, let work): .notify(queue: place(queue), work: number(work))
        case .task(let work): .task(work: number(work))
        case .detached(let work): .detached(work: number(work))
        case .bareDetached(let work): .bareDetached(work: number(work))
        case .resume(let work): .resume(work: number(work))
        case .cancel(let work): .cancel(work: number(work))
        case .drop(let work): .drop(work: number(work))
        case .over(let boundary, let work): .over(boundary: boundary, work: number(work))
        case .fire(let work): .fire(work: number(work))
        }
    }
}
