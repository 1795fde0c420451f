import GRDB
import Logging
import MultiIdentity

extension JobWorkers {
    /// Runs a claimed job as its owner, and notes what became of it as nobody in particular.
    func perform(_ run: JobRun) async {
        var logger = logger
        logger[metadataKey: "job"] = "\(run.job.id)"
        logger[metadataKey: "kind"] = "\(run.job.kind)"
        logger[metadataKey: "owner"] = "\(run.job.owner)"
        do {
            do {
                try await performKeepingLease(run)
                try await writer.write { db in try run.finishAfterHandler(in: db) }
                logger.debug("A job is done")
            } catch  where Task.isCancelled {
                try await note { db in try run.giveBack(in: db) }
                logger.info("A job was given back, as the process stops")
            } catch let error as JobQueueError where error.code == .leaseLost {
                logger.warning("A job's lease was lost", metadata: ["reason": "\(error)"])
            } catch {
                var random = SystemRandomNumberGenerator()
                let delay = options.backOff.delay(after: run.job.attempt, using: &random)
                let isAside = try await note { db in try run.fail(because: error, retryAfter: delay, in: db) }
                let metadata: Logger.Metadata = ["reason": "\(error)", "attempt": "\(run.job.attempt)"]
                if isAside {
                    logger.error("A job was put aside", metadata: metadata)
                } else {
                    logger.warning("A job failed and is tried again", metadata: metadata)
                }
            }
        } catch {
            // Its lease runs out, and then it is begun again.
            logger.error("What became of a job could not be noted", metadata: ["reason": "\(error)"])
        }
    }

    private func performKeepingLease(_ run: JobRun) async throws {
        guard let handler = handlers[run.job.kind] else {
            throw PermanentJobFailure("nothing here runs jobs of the kind \(run.job.kind)")
        }
        do {
            try await admits(run.job.owner)
        } catch {
            throw PermanentJobFailure("its owner is not admitted: \(error)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [writer, options] in
                while true {
                    try await Task.sleep(for: options.lease / 3)
                    try await writer.write { db in try run.renew(for: options.lease, in: db) }
                }
            }
            group.addTask {
                try await withIdentity(run.job.owner.identity) { try await handler(run) }
            }
            defer { group.cancelAll() }
            // The first to end: the handler, or the lease when it was lost.
            try await group.next()
        }
    }

    /// Writes although this task is cancelled: an access to the database would otherwise be, too.
    private func note<Value: Sendable>(
        _ updates: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let writer = writer
        return try await Task { try await writer.write(updates) }.value
    }
}
