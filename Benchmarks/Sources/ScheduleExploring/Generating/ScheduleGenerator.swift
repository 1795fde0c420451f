/// Makes random schedules: the same seed gives the same one, always.
///
/// Each step is drawn at random and kept if the rules allow it where it stands, so that a schedule has no idle steps.
struct ScheduleGenerator {
    private var dice: ScheduleDice
    private var model: RuleModel
    private let identities: Int
    private let threads: Int
    private let families: [StepFamilies]
    private var works = 0

    init(seed: UInt64, identities: Int, threads: Int, model: RuleModel, families: StepFamilies) {
        dice = ScheduleDice(seed: seed)
        self.model = model
        self.identities = identities
        self.threads = threads
        // Scopes twice: without something bound, nothing can be carried wrongly.
        let order: [StepFamilies] = [
            .scopes, .scopes, .levels, .snapshots, .queues, .queues, .items, .groups, .tasks, .boundaries, .boundaries,
        ]
        self.families = order.filter { families.contains($0) && ($0 != .boundaries || !model.boundaries.isEmpty) }
    }

    /// A schedule of `count` steps; fewer only if no step can be found, which takes families that allow none.
    mutating func schedule(_ count: Int) -> [ScheduledStep] {
        var steps: [ScheduledStep] = []
        while steps.count < count, let step = nextStep() { steps.append(step) }
        return steps
    }

    private mutating func nextStep() -> ScheduledStep? {
        for _ in 0..<200 {
            guard let family = dice.one(of: families), let step = draft(family) else { continue }
            if model.take(step) != nil {
                if step.action.makesWork { works += 1 }
                return step
            }
        }
        return nil
    }

    /// A step that may be possible.
    ///
    /// Workers that are there already are as likely as all threads together.
    private mutating func draft(_ family: StepFamilies) -> ScheduledStep? {
        if family == .queues, dice.number(upTo: 2) == 1, let queue = dice.one(of: queuesWithWork) {
            return ScheduledStep(worker: .queue(queue), action: .run)
        }
        // A boundary has one piece of work running at a time: that has to end for the next one to begin.
        if family == .boundaries, dice.number(upTo: 2) == 1, let worker = dice.one(of: boundaryWorkers) {
            return ScheduledStep(worker: worker, action: .leave(.returned))
        }
        let others = model.workers.keys.filter { if case .thread = $0 { false } else { true } }.sorted()
        let worker =
            dice.number(upTo: 2) == 1 ? dice.one(of: others) ?? anyThread() : anyThread()
        return action(family, worker).map { ScheduledStep(worker: worker, action: $0) }
    }

    private var queuesWithWork: [Int] {
        (1...Schedule.queues).filter { model.isIdle($0) && !model.pending[$0 - 1].isEmpty }
    }

    /// The workers that run the work of the adopter's boundaries.
    private var boundaryWorkers: [ScheduledWorker] {
        model.workers.keys.filter { worker in
            if case .work(let work) = worker { model.works[work]?.boundary != nil } else { false }
        }.sorted()
    }

    private mutating func anyThread() -> ScheduledWorker { .thread(dice.number(upTo: threads)) }

    private mutating func action(_ family: StepFamilies, _ worker: ScheduledWorker) -> ScheduledStep.Action? {
        let new = works + 1
        let queue = dice.number(upTo: Schedule.queues)
        let choice = dice.number(upTo: 12)
        switch family {
        case .scopes:
            if choice <= 5 { return .bind(anyIdentity()) }
            if model.workers[worker]?.isCancelled == true, choice <= 8 { return .leave(.cancelled) }
            return .leave(choice <= 9 ? .returned : .thrown)
        case .levels:
            return choice <= 4 ? .ownLevels : choice <= 8 ? .setProcess(anyIdentity()) : .setUI(anyIdentity())
        case .snapshots:
            return choice <= 4
                ? .capture(work: new) : anyWork(.wrapped).map { choice <= 11 ? .call(work: $0) : .drop(work: $0) }
        case .queues:
            return switch choice {
            case 1...4: .async(queue: queue, work: new)
            case 5...6: .barrier(queue: queue, work: new)
            case 7...8: .grouped(queue: queue, work: new)
            default: .sync(queue: queue, work: new)
            }
        case .items: return itemAction(choice, new, queue)
        case .groups:
            if choice <= 4 { return .notify(queue: queue, work: new) }
            return model.groupEntries > 0 ? .leaveGroup : .enterGroup
        case .tasks: return taskAction(choice, new)
        default:
            if choice <= 6, let fired = anyWork(.prepared) {
                return choice <= 5 ? .fire(work: fired) : .drop(work: fired)
            }
            return dice.one(of: model.boundaries.keys.sorted()).map { .over(boundary: $0, work: new) }
        }
    }

    private mutating func itemAction(_ choice: Int, _ new: Int, _ queue: Int) -> ScheduledStep.Action? {
        if choice <= 3 { return .makeItem(work: new) }
        guard let item = anyWork(.item) else { return nil }
        return switch choice {
        case 4...6: .dispatch(work: item, queue: queue)
        case 7...9: .perform(work: item)
        case 10: .observe(item: item, queue: queue, work: new)
        case 11: .cancel(work: item)
        default: .drop(work: item)
        }
    }

    private mutating func taskAction(_ choice: Int, _ new: Int) -> ScheduledStep.Action? {
        switch choice {
        case 1...2: .task(work: new)
        case 3...4: .detached(work: new)
        case 5: .bareDetached(work: new)
        case 6...8: .suspend
        case 9...11: suspendedTask().map { .resume(work: $0) }
        default: anyWork(.task).map { .cancel(work: $0) }
        }
    }

    private mutating func suspendedTask() -> Int? {
        dice.one(
            of: model.workers.filter { $0.value.pace == .suspended }.keys.sorted().compactMap { worker in
                if case .work(let work) = worker { work } else { nil }
            }
        )
    }

    private mutating func anyWork(_ kind: ModelWork.Kind) -> Int? {
        dice.one(of: model.works.filter { $0.value.kind == kind && $0.value.isHeld }.keys.sorted().suffix(4))
    }

    private mutating func anyIdentity() -> HeldIdentity {
        let number = dice.number(upTo: identities + 2)
        return number <= identities ? .named(number) : number == identities + 1 ? .nobody : .unset
    }
}

extension ScheduledStep.Action {
    /// True if the step makes a new piece of work.
    fileprivate var makesWork: Bool {
        switch self {
        case .capture, .async, .barrier, .grouped, .sync, .makeItem, .observe, .notify, .task, .detached, .bareDetached,
            .over:
            true
        default: false
        }
    }
}
