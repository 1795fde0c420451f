extension ScheduleShrinker {
    /// Schedules of the same length in which one thing is plainer: an identity, a worker, a queue, a way to hand over.
    func plainer(_ steps: [ScheduledStep]) -> [[ScheduledStep]] {
        var candidates: [[ScheduledStep]] = []
        func add(_ change: (ScheduledStep) -> ScheduledStep) {
            let candidate = steps.map(change)
            if candidate != steps { candidates.append(candidate) }
        }
        // Everywhere at once first, since one step alone often cannot change its worker or its queue.
        candidates += moved(steps)
        add { $0.mappingQueues { _ in 1 } }
        for identity in Set(steps.compactMap(\.action.identity)).sorted(by: { $0.weight > $1.weight }) {
            for plain in identity.plainer { add { $0.mappingIdentity { $0 == identity ? plain : $0 } } }
        }
        for (index, step) in steps.enumerated() {
            for change in step.plainer {
                var candidate = steps
                candidate[index] = change
                candidates.append(candidate)
            }
        }
        return candidates
    }

    /// All that one worker does is done by one of the first two threads instead; what only led to that worker can go.
    private func moved(_ steps: [ScheduledStep]) -> [[ScheduledStep]] {
        var candidates: [[ScheduledStep]] = []
        for worker in Set(steps.map(\.worker)).sorted() {
            for thread in [ScheduledWorker.thread(1), .thread(2)] where thread < worker {
                let moved = steps.compactMap { step in
                    step.worker == worker && step.action == .run ? nil : step.moved(from: worker, to: thread)
                }
                candidates.append(moved)
                guard moved.count <= Self.fewSteps else { continue }
                candidates += moved.indices.map { index in
                    var candidate = moved
                    candidate.remove(at: index)
                    return candidate
                }
            }
        }
        return candidates
    }

    private static var fewSteps: Int { 12 }
}

extension HeldIdentity {
    fileprivate var plainer: [HeldIdentity] {
        switch self {
        case .named(let number): (1..<number).prefix(2).map { .named($0) }
        case .nobody, .unset: [.named(1), .named(2)]
        case .stranger: []
        }
    }
}

extension ScheduledStep {
    /// The same step by another worker.
    fileprivate func moved(from worker: ScheduledWorker, to other: ScheduledWorker) -> ScheduledStep {
        self.worker == worker ? ScheduledStep(worker: other, action: action) : self
    }

    /// The step with one thing plainer.
    fileprivate var plainer: [ScheduledStep] {
        var steps = action.plainer.map { ScheduledStep(worker: worker, action: $0) }
        if worker != .thread(1), action != .run { steps.append(ScheduledStep(worker: .thread(1), action: action)) }
        if let identity = action.identity {
            steps += identity.plainer.map { plain in mappingIdentity { _ in plain } }
        }
        return steps
    }
}

extension ScheduledStep.Action {
    /// The actions that do about the same in a plainer way.
    fileprivate var plainer: [ScheduledStep.Action] {
        switch self {
        case .leave(.thrown), .leave(.cancelled): [.leave(.returned)]
        case .ownLevels: [.bind(.named(1))]
        case .barrier(let queue, let work), .grouped(let queue, let work): [.async(queue: queue, work: work)]
        case .detached(let work), .bareDetached(let work): [.task(work: work)]
        default: []
        }
    }
}
