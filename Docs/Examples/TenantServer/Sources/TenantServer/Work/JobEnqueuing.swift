import Logging
import MultiIdentity

/// Where jobs go that have to be done for certain.
protocol JobEnqueuing: Sendable {
    /// - Parameter errand: Whose job it is, and what it is for.
    /// - Returns: Whose job it was, where it was enqueued.
    /// - Throws: What keeps it from being enqueued.
    func enqueue(_ errand: Errand) async throws -> Sighting

    /// Removes all jobs of a tenant and what they made, to the last byte.
    ///
    /// - Parameter tenant: Whose jobs.
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

    /// What has not run yet runs as nobody, and writes no record.
    func erase(_ tenant: Identity) async throws {}
}
