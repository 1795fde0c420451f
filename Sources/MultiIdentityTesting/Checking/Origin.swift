import Dispatch
import MultiIdentity

/// The place where work is handed over: the thread level is stored differently in each.
enum Origin: Sendable, CaseIterable {
    /// A thread that runs no task.
    case thread
    /// A worker of Dispatch.
    case worker
    /// A synchronous scope in a task.
    case task
    /// An asynchronous scope in a task, after it was suspended.
    case asyncScope

    /// Prepares as `creator`, fires the result as `hander`, and then calls `finish`; the caller does not wait.
    func start(
        asCreator creator: Identity?,
        asHander hander: Identity?,
        under levels: IdentityLevels?,
        prepare: @escaping @Sendable () -> BoundaryConformance.Work,
        finish: @escaping @Sendable () -> Void
    ) {
        let synchronously: @Sendable () -> Void = {
            withLevels(levels) {
                let fire = withIdentity(creator) { prepare() }
                withIdentity(hander) { fire() }
            }
            finish()
        }
        switch self {
        case .thread: startThread(synchronously)
        case .worker:
            // With nothing bound: in automatic mode, a plain call carries.
            withIdentity(nil) { DispatchQueue.global().async(execute: synchronously) }
        case .task: Task.detached { synchronously() }
        case .asyncScope:
            Task.detached {
                await withIdentityLevels(levels ?? .shared) {
                    let fire = await withIdentity(creator) {
                        await Task.yield()
                        return prepare()
                    }
                    await withIdentity(hander) {
                        await Task.yield()
                        fire()
                    }
                }
                finish()
            }
        }
    }

    /// Without custom levels nothing is bound, so that the plain form of the thread level is checked as well.
    private func withLevels(_ levels: IdentityLevels?, _ body: () -> Void) {
        if let levels { withIdentityLevels(levels, body) } else { body() }
    }
}

extension Origin: CustomStringConvertible {
    var description: String {
        switch self {
        case .thread: "a bare thread"
        case .worker: "a worker of Dispatch"
        case .task: "a task"
        case .asyncScope: "an asynchronous scope"
        }
    }
}
