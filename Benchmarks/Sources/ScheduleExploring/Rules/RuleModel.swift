/// The rules of identity as a small machine: what is bound at each worker after each step.
///
/// It knows nothing of threads, tasks and the library. A step that cannot be taken where it stands changes nothing.
struct RuleModel: Sendable {
    var workers: [ScheduledWorker: ModelWorker] = [:]
    /// The work that each queue was handed and has not begun, in order.
    var pending: [[Int]] = Array(repeating: [], count: Schedule.queues)
    var works: [Int: ModelWork] = [:]
    var levels: [ModelLevels] = []
    /// The number of entries of the group, by steps and by work, that have not been left.
    var groupCount = 0
    var groupEntries = 0
    var groupNotes: [ModelWork.Observer] = []
    /// The adopter's boundaries, by name.
    let boundaries: [String: BoundaryTraits]

    init(threads: Int, boundaries: [String: BoundaryTraits] = [:]) {
        self.boundaries = boundaries
        for number in 1...max(threads, 1) {
            let frame = ModelWorker.Frame(level: .bare, kind: .bottom, isAsync: false, canThrow: false)
            workers[.thread(number)] = ModelWorker(frames: [frame])
        }
    }

    /// Takes a step by the rules.
    ///
    /// - Returns: What has to be heard of it, or `nil` if it cannot be taken here.
    mutating func take(_ step: ScheduledStep) -> StepEffect? {
        if step.action == .run { return run(step.worker) }
        guard let worker = workers[step.worker], worker.pace == .atRest else { return nil }
        return switch step.action {
        case .bind, .ownLevels, .setProcess, .setUI, .leave: takeScope(step.action, step.worker, worker)
        case .capture, .call: takeWrapped(step.action, step.worker, worker)
        case .async, .barrier, .grouped, .sync, .run: takeHandOver(step.action, step.worker, worker)
        case .over, .fire: takeBoundary(step.action, step.worker, worker)
        case .makeItem, .dispatch, .perform, .observe: takeItem(step.action, step.worker, worker)
        case .enterGroup, .leaveGroup, .notify: takeGroup(step.action, step.worker, worker)
        case .task, .detached, .bareDetached, .suspend, .resume: takeTask(step.action, step.worker, worker)
        case .cancel(let work): cancel(work, step.worker)
        case .drop(let work): drop(work, step.worker)
        }
    }

    /// True if no work has this number yet.
    func isNew(_ work: Int) -> Bool { works[work] == nil }

    /// Opens a frame on a worker.
    mutating func open(_ frame: ModelWorker.Frame, on worker: ScheduledWorker) -> StepEffect? {
        guard let count = workers[worker]?.frames.count, count < ModelWorker.mostFrames else { return nil }
        workers[worker]?.frames.append(frame)
        return StepEffect(.rest(worker))
    }

    /// Begins a worker with work.
    mutating func begin(_ worker: ScheduledWorker, with work: Int, isAsync: Bool = false, canThrow: Bool = false) {
        guard let level = works[work]?.level else { return }
        works[work]?.isRunning = true
        let frame = ModelWorker.Frame(level: level, kind: .root(work: work), isAsync: isAsync, canThrow: canThrow)
        workers[worker] = ModelWorker(frames: [frame], isTask: isAsync)
    }

    /// Does what follows when work has run, or was skipped: notifications of it are handed to their queues.
    mutating func complete(_ work: Int, _ effect: inout StepEffect) {
        works[work]?.isRunning = false
        works[work]?.completions += 1
        if let observer = works[work]?.observer {
            works[work]?.observer = nil
            hand(observer.work, to: observer.queue)
            effect.notified.append(observer.queue)
        }
        if works[work]?.isGrouped == true { leaveGroup(&effect) }
    }

    mutating func leaveGroup(_ effect: inout StepEffect) {
        groupCount -= 1
        guard groupCount == 0 else { return }
        for note in groupNotes {
            hand(note.work, to: note.queue)
            effect.notified.append(note.queue)
        }
        groupNotes = []
    }

    mutating func hand(_ work: Int, to queue: Int) {
        works[work]?.isPending = true
        pending[queue - 1].append(work)
    }
}
