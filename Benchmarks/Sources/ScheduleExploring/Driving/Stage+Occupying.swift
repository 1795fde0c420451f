import Dispatch
import MultiIdentity

extension Stage {
    /// Starts a thread that waits for orders.
    func start(_ worker: ScheduledWorker) {
        DispatchQueue(label: "schedule.\(worker)").async { [self] in
            enter { () throws(Leaving) in try occupy(worker) }
        }
    }

    /// Stands here as `worker` and takes orders until one says to leave.
    func occupy(_ worker: ScheduledWorker) throws(Leaving) {
        let post = post(of: worker)
        rest(worker)
        while true {
            switch post.waitForOrder() {
            case .close, .leave(.returned): return
            case .leave(let how): throw how
            case .look: rest(worker)
            case .take(let action):
                take(action, as: worker)
                rest(worker)
            }
        }
    }

    /// The same in asynchronous code.
    nonisolated(nonsending) func occupyAsync(_ worker: ScheduledWorker) async throws(Leaving) {
        let post = post(of: worker)
        rest(worker)
        while true {
            switch await post.nextOrder() {
            case .close, .leave(.returned): return
            case .leave(.cancelled):
                do { try Task.checkCancellation() } catch { throw .cancelled }
            case .leave(let how): throw how
            case .look: rest(worker)
            case .take(let action):
                await takeAsync(action, as: worker)
                rest(worker)
            }
        }
    }

    /// Opens a scope: how it is left is the schedule's affair, and ends here.
    func enter(_ scope: () throws(Leaving) -> Void) {
        do { try scope() } catch {}
    }

    nonisolated(nonsending) func enterAsync(
        _ scope: nonisolated(nonsending) () async throws(Leaving) -> Void
    ) async {
        do { try await scope() } catch {}
    }

    /// Returns what is handed over as `work`: it stands wherever it is run, as whichever worker the step said.
    func body(of work: Int) -> @Sendable () -> Void {
        let captive = Captive(of: work, in: roster)
        return { [self] in
            withExtendedLifetime(captive) {
                guard let worker = arrival(of: work) else { return reports.add(.stray(work: work)) }
                enter { () throws(Leaving) in try occupy(worker) }
                if worker == .work(work) { reports.add(.ended(work: work)) }
            }
        }
    }

    /// The same for asynchronous work.
    func asyncBody(of work: Int) -> @Sendable () async -> Void {
        let captive = Captive(of: work, in: roster)
        return { [self] in
            guard let worker = arrival(of: work) else { return reports.add(.stray(work: work)) }
            await enterAsync { () async throws(Leaving) in try await occupyAsync(worker) }
            reports.add(.ended(work: work))
            withExtendedLifetime(captive) {}
        }
    }
}
