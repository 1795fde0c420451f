import Logging
import MultiIdentity

extension JobWorkers {
    /// Runs a claimed job as its owner, notes what became of it as nobody in particular, and logs that as its owner: a
    /// metadata provider says who that is, escaped.
    func perform(_ run: JobRun) async {
        do {
            do {
                try await performKeepingLease(run)
                try await run.finishAfterHandler(in: store)
                log(run, .debug, "A job is done")
            } catch  where Task.isCancelled {
                try await note { store in try await run.giveBack(in: store) }
                log(run, .info, "A job was given back, as the process stops")
            } catch let error as JobQueueError where error.code == .leaseLost {
                log(run, .warning, "A job's lease was lost", ["reason": "\(error)"])
            } catch {
                var random = SystemRandomNumberGenerator()
                let delay = options.backOff.delay(after: run.job.attempt, using: &random)
                let outcome = try await note { store in
                    try await run.fail(because: error, retryAfter: delay, in: store)
                }
                let metadata: Logger.Metadata = ["reason": "\(error)", "attempt": "\(run.job.attempt)"]
                switch outcome {
                case .putAside: log(run, .error, "A job was put aside", metadata)
                case .triedAgain: log(run, .warning, "A job failed and is tried again", metadata)
                case .anothers: log(run, .warning, "A job failed that was done, or another worker's, by then", metadata)
                }
            }
        } catch {
            // Its lease runs out, and then it is begun again.
            log(run, .error, "What became of a job could not be noted", ["reason": "\(error)"])
        }
    }

    private func log(_ run: JobRun, _ level: Logger.Level, _ message: Logger.Message, _ more: Logger.Metadata = [:]) {
        var metadata: Logger.Metadata = ["job": "\(run.job.id)", "kind": "\(run.job.kind)"]
        metadata.merge(more) { $1 }
        withIdentity(run.job.owner.identity) { logger.log(level: level, message, metadata: metadata) }
    }

    private func performKeepingLease(_ run: JobRun) async throws {
        guard let handler = handlers[run.job.kind] else {
            throw PermanentJobFailure("nothing here runs jobs of the kind \(run.job.kind)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [store, options] in
                while true {
                    try await Task.sleep(for: options.lease / 3)
                    try await run.renew(for: options.lease, in: store)
                }
            }
            group.addTask { [admits] in
                try await withIdentity(run.job.owner.identity) {
                    // Inside the scope, which counts as work: who is revoked after the answer is waited for.
                    do {
                        try await admits(run.job.owner)
                    } catch {
                        throw PermanentJobFailure("its owner is not admitted: \(error)")
                    }
                    try await handler(run)
                }
            }
            defer { group.cancelAll() }
            // The first to end: the handler, or the lease when it was lost.
            try await group.next()
        }
    }

    /// Writes although this task is cancelled: an access to the database would otherwise be, too.
    private func note<Value: Sendable>(
        _ updates: @escaping @Sendable (any JobStore) async throws -> Value
    ) async throws -> Value {
        let store = store
        return try await Task { try await updates(store) }.value
    }
}
