/// The distance of schedules of the same length from the plainest: shrinking only ever goes down.
extension [ScheduledStep] {
    var weight: Int { reduce(0) { $0 + $1.worker.weight + $1.action.weight } }
}

extension ScheduledWorker {
    /// The first thread is the plainest.
    fileprivate var weight: Int {
        switch self {
        case .thread(let number): number - 1
        case .queue(let number): 100 + number
        case .work: 200
        }
    }
}

extension ScheduledStep.Action {
    fileprivate var weight: Int {
        switch self {
        case .bind(let identity), .setProcess(let identity), .setUI(let identity): identity.weight
        case .ownLevels: 2_000
        case .leave(.thrown), .leave(.cancelled): 1
        case .async(let queue, _), .sync(let queue, _), .dispatch(_, let queue), .observe(_, let queue, _),
            .notify(let queue, _):
            queue
        case .barrier(let queue, _), .grouped(let queue, _): queue + 1
        case .detached, .bareDetached: 1
        default: 0
        }
    }
}

extension HeldIdentity {
    /// The first identity is the plainest; nobody and unset are kept only where they matter.
    var weight: Int {
        switch self {
        case .named(let number): number
        case .nobody: 1_000
        case .unset: 1_001
        case .stranger: 1_002
        }
    }
}
