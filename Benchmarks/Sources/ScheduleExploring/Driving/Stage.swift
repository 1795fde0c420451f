import Dispatch
import MultiIdentity
import Synchronization

/// The place of the real code, driven step by step: real threads, queues and tasks, of which one at a time goes on.
///
/// Each worker stands in a loop (``occupy(_:)``) and waits for orders. A step that opens a scope runs another such loop
/// within the scope, so that everything that happens until the scope is left happens inside it.
final class Stage: Sendable {
    /// A thing that a schedule can name.
    enum Handle: Sendable {
        case item(SharedItem)
        case wrapped(LibrarySubject.Work, LibrarySubject.AsyncWork)
        case task(Task<Void, Never>)
        case prepared(isReusable: Bool, @Sendable () -> Void)
    }

    private struct State: Sendable {
        var posts: [ScheduledWorker: WorkerPost] = [:]
        var handles: [Int: Handle] = [:]
        var arrivals: [Int: ScheduledWorker] = [:]
        var suspended: [ScheduledWorker: CheckedContinuation<Void, Never>] = [:]
        var levels: [IdentityLevels] = []
        var groupEntries = 0
        var isClosed = false
    }

    let subject: any ExplorationSubject
    let identities: [Identity]
    let boundaries: [String: ExploredBoundary]
    let reports = StageReports()
    let roster = Captive.Roster()
    let queues: [HeldQueue]
    let group = DispatchGroup()

    private let state = Mutex(State())
    /// Locked while somebody looks, since the main probe speaks for one at a time.
    private let looking = Mutex(())
    private let looksOnMain = Atomic(false)

    init(_ setup: ExplorationSetup) {
        subject = setup.subject.fresh
        identities = setup.identities
        boundaries = Dictionary(setup.boundaries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        queues = (1...Schedule.queues).map { [reports] in HeldQueue($0, reports) }
    }

    // MARK: Workers

    /// Returns the post where a worker waits; closed if the stage is.
    func post(of worker: ScheduledWorker) -> WorkerPost {
        state.withLock { state in
            if let post = state.posts[worker] { return post }
            let post = WorkerPost()
            if state.isClosed { post.close() }
            state.posts[worker] = post
            return post
        }
    }

    func send(_ order: WorkerPost.Order, to worker: ScheduledWorker) { post(of: worker).send(order) }

    /// Says which worker each piece of work becomes part of when it begins.
    func expect(_ arrivals: [Int: ScheduledWorker]) {
        state.withLock { $0.arrivals.merge(arrivals) { _, new in new } }
    }

    /// Returns, once, the worker that `work` becomes part of.
    func arrival(of work: Int) -> ScheduledWorker? { state.withLock { $0.arrivals.removeValue(forKey: work) } }

    /// Says that `worker` waits, and what is found there.
    func rest(_ worker: ScheduledWorker) { reports.add(.rest(worker), look()) }

    // MARK: What schedules name

    func keep(_ handle: Handle, for work: Int) { state.withLock { $0.handles[work] = handle } }

    func handle(of work: Int) -> Handle? { state.withLock { $0.handles[work] } }

    func letGo(of work: Int) {
        let handle = state.withLock { $0.handles.removeValue(forKey: work) }
        withExtendedLifetime(handle) {}  // released outside the lock
    }

    func countGroupEntry(_ change: Int) { state.withLock { $0.groupEntries += change } }

    func keep(_ continuation: CheckedContinuation<Void, Never>, of worker: ScheduledWorker) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.suspended[worker] = continuation }
            return state.isClosed
        }
        if isClosed { continuation.resume() } else { reports.add(.suspended(worker)) }
    }

    func resume(_ worker: ScheduledWorker) {
        state.withLock { $0.suspended.removeValue(forKey: worker) }?.resume()
    }

    // MARK: Levels

    /// New levels, for which `looksOnMain` says what is main.
    func makeLevels() -> IdentityLevels {
        let levels = IdentityLevels(
            mainProbe: MainProbe { [weak self] in self?.looksOnMain.load(ordering: .relaxed) == true }
        )
        state.withLock { $0.levels.append(levels) }
        return levels
    }

    /// Looks at what is bound on this thread, or in this task.
    func look() -> Observation {
        looking.withLock { _ in
            let levels = IdentityLevels.current
            let place: Observation.Levels =
                if levels === IdentityLevels.shared {
                    .shared
                } else {
                    state.withLock { $0.levels.firstIndex { $0 === levels } }.map { .own($0 + 1) } ?? .strange
                }
            var found = Observation(thread: HeldIdentity(subject.current, among: identities), levels: place)
            guard place != .shared || found.thread != .unset else { return found }
            let elsewhere = answer(.ui)
            looksOnMain.store(true, ordering: .relaxed)
            let onMain = answer(.ui)
            looksOnMain.store(false, ordering: .relaxed)
            found.answers = Observation.Answers(uiOnMain: onMain, uiElsewhere: elsewhere, files: answer(.files))
            return found
        }
    }

    private func answer(_ purpose: EffectiveIdentity.Purpose) -> LevelRule.Answer {
        let effective = subject.effective(for: purpose)
        return LevelRule.Answer(
            identity: HeldIdentity(effective.identity, among: identities),
            level: effective.level
        )
    }

    // MARK: The end

    /// Has everything unwind: what waits goes on, what is pending runs and ends at once, and nothing is kept.
    func close() {
        let (old, entries) = state.withLock { state in
            let old = state
            state.isClosed = true
            state.handles = [:]
            state.suspended = [:]
            state.groupEntries = 0
            return (old, old.groupEntries)
        }
        for post in old.posts.values { post.close() }
        for continuation in old.suspended.values { continuation.resume() }
        for _ in 0..<entries { group.leave() }
        for queue in queues { queue.close() }
    }
}

/// A work item, which any thread may use.
///
/// `@unchecked Sendable`: a thread-safe object of libdispatch; on Linux its class lacks the word for it.
struct SharedItem: @unchecked Sendable {
    let item: DispatchWorkItem
}
