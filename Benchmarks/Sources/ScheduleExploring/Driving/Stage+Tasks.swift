import Dispatch
import MultiIdentity

extension Stage {
    /// Takes a step in asynchronous code: scopes have their twins there, everything else is the same call.
    nonisolated(nonsending) func takeAsync(_ action: ScheduledStep.Action, as worker: ScheduledWorker) async {
        switch action {
        case .bind(let identity):
            let identity = identity.identity(among: identities)
            await enterAsync { () async throws(Leaving) in
                try await subject.bind(identity) { () async throws(Leaving) in try await occupyAsync(worker) }
            }
        case .ownLevels:
            let levels = makeLevels()
            await enterAsync { () async throws(Leaving) in
                try await withIdentityLevels(levels) { () async throws(Leaving) in try await occupyAsync(worker) }
            }
        case .call(let work):
            guard case .wrapped(_, let call) = handle(of: work) else { return }
            await enterAsync { () async throws(Leaving) in try await call(worker) }
        case .suspend:
            await withCheckedContinuation { keep($0, of: worker) }
        default:
            take(action, as: worker)
        }
    }
}
