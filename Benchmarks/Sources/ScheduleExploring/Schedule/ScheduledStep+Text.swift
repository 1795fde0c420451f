extension ScheduledStep: CustomStringConvertible {
    /// As it stands in a schedule: `t1 async q1 w1`.
    var description: String { "\(worker) \(action.text)" }

    /// Parses what ``description`` writes.
    ///
    /// - Throws: ``ScheduleError`` with what is wrong with the step.
    init(parsing text: Substring) throws(ScheduleError) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let first = words.first, let worker = ScheduledWorker(parsing: first) else {
            throw .malformed(
                "begins with \"\(words.first ?? "")\"",
                "a worker: t1 to t\(Schedule.mostThreads), q1 to q\(Schedule.queues), or w and a number"
            )
        }
        guard words.count > 1 else { throw .malformed("ends after its worker", "what \(worker) does") }
        var operands = StepOperands(verb: words[1], words: words.dropFirst(2))
        self.init(worker: worker, action: try Action(&operands))
        try operands.end()
        if action == .run, !worker.isQueue { throw .malformed("has \(worker) run work", "a queue") }
    }
}

extension ScheduledWorker {
    fileprivate var isQueue: Bool { if case .queue = self { true } else { false } }
}

extension ScheduledStep.Action {
    var text: String {
        switch self {
        case .bind(let identity): "bind \(identity)"
        case .ownLevels: "levels"
        case .setProcess(let identity): "process \(identity)"
        case .setUI(let identity): "ui \(identity)"
        case .leave(.returned): "return"
        case .leave(.thrown): "throw"
        case .leave(.cancelled): "cancelled"
        case .capture(let work): "capture w\(work)"
        case .call(let work): "call w\(work)"
        case .async(let queue, let work): "async q\(queue) w\(work)"
        case .barrier(let queue, let work): "barrier q\(queue) w\(work)"
        case .grouped(let queue, let work): "grouped q\(queue) w\(work)"
        case .sync(let queue, let work): "sync q\(queue) w\(work)"
        case .run: "run"
        case .makeItem(let work): "item w\(work)"
        case .dispatch(let work, let queue): "dispatch w\(work) q\(queue)"
        case .perform(let work): "perform w\(work)"
        case .observe(let item, let queue, let work): "observe w\(item) q\(queue) w\(work)"
        case .enterGroup: "enter"
        case .leaveGroup: "leave"
        case .notify(let queue, let work): "notify q\(queue) w\(work)"
        case .task(let work): "task w\(work)"
        case .detached(let work): "detached w\(work)"
        case .bareDetached(let work): "bare w\(work)"
        case .suspend: "suspend"
        case .resume(let work): "resume w\(work)"
        case .cancel(let work): "cancel w\(work)"
        case .drop(let work): "drop w\(work)"
        case .over(let boundary, let work): "over \(boundary) w\(work)"
        case .fire(let work): "fire w\(work)"
        }
    }

    fileprivate init(_ operands: inout StepOperands) throws(ScheduleError) {
        switch operands.verb {
        case "bind": self = .bind(try operands.identity())
        case "levels": self = .ownLevels
        case "process": self = .setProcess(try operands.identity())
        case "ui": self = .setUI(try operands.identity())
        case "return": self = .leave(.returned)
        case "throw": self = .leave(.thrown)
        case "cancelled": self = .leave(.cancelled)
        case "capture": self = .capture(work: try operands.work())
        case "call": self = .call(work: try operands.work())
        case "async": self = .async(queue: try operands.queue(), work: try operands.work())
        case "barrier": self = .barrier(queue: try operands.queue(), work: try operands.work())
        case "grouped": self = .grouped(queue: try operands.queue(), work: try operands.work())
        case "sync": self = .sync(queue: try operands.queue(), work: try operands.work())
        case "run": self = .run
        case "item": self = .makeItem(work: try operands.work())
        case "dispatch": self = .dispatch(work: try operands.work(), queue: try operands.queue())
        case "perform": self = .perform(work: try operands.work())
        case "observe":
            self = .observe(item: try operands.work(), queue: try operands.queue(), work: try operands.work())
        case "enter": self = .enterGroup
        case "leave": self = .leaveGroup
        case "notify": self = .notify(queue: try operands.queue(), work: try operands.work())
        case "task": self = .task(work: try operands.work())
        case "detached": self = .detached(work: try operands.work())
        case "bare": self = .bareDetached(work: try operands.work())
        case "suspend": self = .suspend
        case "resume": self = .resume(work: try operands.work())
        case "cancel": self = .cancel(work: try operands.work())
        case "drop": self = .drop(work: try operands.work())
        case "fire": self = .fire(work: try operands.work())
        case "over": self = .over(boundary: try operands.boundary(), work: try operands.work())
        default: throw .malformed("has the verb \"\(operands.verb)\"", "one of those in the article on schedules")
        }
    }
}
