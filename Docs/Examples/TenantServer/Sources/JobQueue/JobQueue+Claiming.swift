import Foundation
package import GRDB

extension JobQueue {
    /// What a claim found.
    package enum Claim: Sendable {
        case run(JobRun)
        /// A job was put aside, since it could not be run as anybody; there may be others.
        case putAside(id: String, reason: String)
        case nothingDue
    }

    /// Takes the job that has been due for longest, or whose worker's lease has run out, and leases it.
    package func claim(leaseFor lease: Duration, in db: Database) throws -> Claim {
        let now = now()
        let row = try Row.fetchOne(
            db,
            sql: String(decoding: PackageResources.claim_sql, as: UTF8.self),
            arguments: [UUID().uuidString.lowercased(), now + lease.milliseconds, now]
        )
        guard let row else { return .nothingDue }
        let id: String = row["id"]
        let run: JobRun
        do {
            run = try self.run(of: row)
        } catch {
            try putAside(id, because: error.reason, in: db)
            return .putAside(id: id, reason: error.reason)
        }
        guard run.job.attempt <= run.job.maximumAttempts else {
            // Its last worker neither finished nor failed it; a job that kills its process must not do so for ever.
            let reason = "begun \(run.job.attempt - 1) times, and the last worker was gone before its lease ran out"
            try putAside(id, because: reason, in: db)
            return .putAside(id: id, reason: reason)
        }
        return .run(run)
    }

    /// Reads a claimed row, and believes nothing of it before its seal holds.
    private func run(of row: Row) throws(PermanentJobFailure) -> JobRun {
        let id: String = row["id"]
        let columns = JobOwner.Columns(kind: row["owner_kind"], name: row["owner_name"], key: row["owner_key"])
        guard let owner = JobOwner(columns) else {
            throw PermanentJobFailure("its row names no owner")
        }
        let payload: Data = row["payload"]
        let seal = JobSeal(
            id: id,
            kind: row["kind"],
            idempotencyKey: row["idempotency_key"],
            payload: Array(payload),
            owner: owner,
            maximumAttempts: row["maximum_attempts"],
            enqueuedAt: row["enqueued_at"]
        )
        let code: Data = row["seal"]
        if let flaw = seal.flaw(in: Array(code), keyID: row["seal_key_id"], keys) { throw PermanentJobFailure(flaw) }
        let job = Job(
            id: id,
            kind: seal.kind,
            idempotencyKey: seal.idempotencyKey,
            payload: seal.payload,
            owner: owner,
            attempt: row["attempt"],
            maximumAttempts: seal.maximumAttempts
        )
        return JobRun(job: job, leaseToken: row["lease_token"], queue: self)
    }

    /// The dead-letter state: nothing runs the job again until somebody has it begun anew.
    func putAside(_ id: String, because reason: String, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE jobs SET state = 'dead', finished_at = ?, last_error = ?, lease_token = NULL
                WHERE id = ?
                """,
            arguments: [now(), Self.shown(reason), id]
        )
    }

    /// At most 500 characters of one line.
    static func shown(_ text: String) -> String {
        String(text.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
