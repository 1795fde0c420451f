import Logging
import MultiIdentity

/// A place for jobs that have to be done for certain.
protocol JobEnqueuing: Sendable {
    /// - Parameter errand: The owner's errand, which the job is for.
    /// - Returns: The owner of the job, as seen where it was enqueued.
    /// - Throws: What keeps it from being enqueued.
    func enqueue(_ errand: Errand) async throws -> Sighting

    /// Removes all jobs of a tenant and what they made, to the last byte.
    ///
    /// - Parameter tenant: The owner of the jobs.
    /// - Throws: What keeps them from being removed.
    func erase(_ tenant: Identity) async throws
}

/// Jobs that are gone with the process: for a server without a database.
struct JobsInMemory: JobEnqueuing {
    let background: BackgroundWork
    let records: RecordFile

    func enqueue(_ errand: Errand) async throws -> Sighting {
        let records = records
        try background.enqueue {
            do {
                try records.append(errand.sighting(at: "job"), of: errand.marker, by: errand.caller)
            } catch {
                errand.logger.error("a record was not written", metadata: ["error": "\(error)"])
            }
        }
        return errand.sighting(at: "job enqueued")
    }

    /// Does nothing: what has not run yet runs as nobody, and writes no record.
    func erase(_ tenant: Identity) async throws {}
}
