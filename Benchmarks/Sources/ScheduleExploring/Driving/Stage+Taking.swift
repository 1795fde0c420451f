import Dispatch
import MultiIdentity

extension Stage {
    /// Takes a step on the thread of its worker, in synchronous code.
    func take(_ action: ScheduledStep.Action, as worker: ScheduledWorker) {
        switch action {
        case .bind(let identity):
            let identity = identity.identity(among: identities)
            enter { () throws(Leaving) in
                try subject.bind(identity) { () throws(Leaving) in try occupy(worker) }
            }
        case .ownLevels:
            let levels = makeLevels()
            enter { () throws(Leaving) in
                try withIdentityLevels(levels) { () throws(Leaving) in try occupy(worker) }
            }
        case .setProcess(let identity): ownLevels?.process = identity.identity(among: identities)
        case .setUI(let identity): ownLevels?.ui = identity.identity(among: identities)
        case .capture(let work): keep(wrapped(work), for: work)
        case .call(let work):
            if case .wrapped(let call, _) = handle(of: work) {
                enter { () throws(Leaving) in try call(worker) }
            }
        case .enterGroup:
            countGroupEntry(1)
            group.enter()
        case .leaveGroup:
            countGroupEntry(-1)
            group.leave()
        case .task(let work):
            let body = asyncBody(of: work)
            keep(.task(Task(executorPreference: StageExecutor()) { await body() }), for: work)
        case .detached(let work):
            let body = asyncBody(of: work)
            let task = subject.detached { await withTaskExecutorPreference(StageExecutor()) { await body() } }
            keep(.task(task), for: work)
        case .bareDetached(let work):
            let body = asyncBody(of: work)
            keep(.task(Task.detached(executorPreference: StageExecutor()) { await body() }), for: work)
        case .resume(let work): resume(.work(work))
        case .cancel(let work):
            switch handle(of: work) {
            case .item(let item): item.item.cancel()
            case .task(let task): task.cancel()
            case .wrapped, .prepared, nil: break
            }
        case .drop(let work): letGo(of: work)
        case .over(let boundary, let work): handOver(work, boundaries[boundary])
        case .fire(let work): fire(work)
        case .async, .barrier, .grouped, .sync, .makeItem, .dispatch, .perform, .observe, .notify:
            takeOnQueue(action)
        case .leave, .run, .suspend: break  // orders of their own
        }
    }

    /// The levels in force, unless they are the program's.
    private var ownLevels: IdentityLevels? {
        let levels = IdentityLevels.current
        return levels === IdentityLevels.shared ? nil : levels
    }

    private func wrapped(_ work: Int) -> Handle {
        let captive = Captive(of: work, in: roster)
        let (call, callAsync) = subject.wrap(
            { [self] worker throws(Leaving) in
                defer { withExtendedLifetime(captive) {} }
                try occupy(worker)
            },
            { [self] worker async throws(Leaving) in
                defer { withExtendedLifetime(captive) {} }
                try await occupyAsync(worker)
            }
        )
        return .wrapped(call, callAsync)
    }

    private func handOver(_ work: Int, _ boundary: ExploredBoundary?) {
        guard let boundary else { return }
        let handOver =
            switch boundary.prepare {
            case .synchronous(let prepare): prepare(body(of: work))
            case .asynchronous(let prepare): prepare(onExecutor(asyncBody(of: work)))
            }
        let drain = boundary.drain
        if boundary.traits.isPrepared {
            let run: @Sendable () -> Void = {
                handOver()
                drain?()
            }
            keep(.prepared(isReusable: boundary.traits.isReusable, run), for: work)
        } else {
            handOver()
            if let drain { keep(.prepared(isReusable: false, drain), for: work) }
        }
    }

    private func fire(_ work: Int) {
        guard case .prepared(let isReusable, let run) = handle(of: work) else { return }
        if !isReusable { letGo(of: work) }
        run()
    }

    /// On a queue of its own, wherever the boundary starts it.
    private func onExecutor(_ body: @escaping @Sendable () async -> Void) -> @Sendable () async -> Void {
        { await withTaskExecutorPreference(StageExecutor()) { await body() } }
    }
}
