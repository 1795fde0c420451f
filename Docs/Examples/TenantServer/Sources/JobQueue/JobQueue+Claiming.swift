import Foundation
package import GRDB

extension JobQueue {
    /// The result of a claim.
    package enum Claim: Sendable {
        case run(JobRun)
        /// A job was put aside, since it could not be run as anybody; there may be others.
        case putAside(id: String, reason: String)
        case nothingDue
    }

    /// Takes the job that has been due for longest, or one with a lease that has run out, and leases it.
    package func claim(leaseFor lease: Duration, in db: Database) throws -> Claim {
        let (now, token) = (now(), UUID().uuidString.lowercased())
        let row = try Row.fetchOne(
            db,
            sql: String(decoding: PackageResources.claim_sql, as: UTF8.self),
            arguments: [token, now + lease.milliseconds, now]
        )
        guard let row else { return .nothingDue }
        let id = row.text("id")
        let run: JobRun
        do {
            run = try self.run(of: row, leasedBy: token)
        } catch let error as PermanentJobFailure {
            try putAside(leasedBy: token, because: error.reason, in: db)
            return .putAside(id: id, reason: error.reason)
        }
        guard run.job.attempt <= run.job.maximumAttempts else {
            // Its last worker neither finished nor failed it; a job that kills its process must not do so for ever.
            let reason = "begun \(run.job.attempt - 1) times, and the last worker was gone before its lease ran out"
            try putAside(leasedBy: token, because: reason, in: db)
            return .putAside(id: id, reason: reason)
        }
        return .run(run)
    }

    /// Reads a claimed row, and believes nothing of it before its seal holds.
    private func run(of row: Row, leasedBy token: String) throws -> JobRun {
        let (seal, code, keyID, attempt): (JobSeal, Data, String, Int)
        do {
            (seal, code, keyID, attempt) = try (
                JobSeal(row), row.decode(forColumn: "seal"), row.decode(forColumn: "seal_key_id"),
                row.decode(forColumn: "attempt")
            )
        } catch let failure as PermanentJobFailure {
            throw failure
        } catch {
            // SQLite keeps whatever it is given in a column: a text where a number belongs.
            throw PermanentJobFailure("its seal cannot hold: a column of its row has a value of another type")
        }
        if let flaw = seal.flaw(in: Array(code), keyID: keyID, keys) { throw PermanentJobFailure(flaw) }
        // What it throws is no fault of the row's: the claim is undone, and made again.
        guard try enrolment(of: seal.owner) == seal.enrolment else {
            throw PermanentJobFailure("its owner's account is gone, or was made anew since")
        }
        let job = Job(
            id: seal.id,
            kind: seal.kind,
            idempotencyKey: seal.idempotencyKey,
            payload: seal.payload,
            owner: seal.owner,
            attempt: attempt,
            maximumAttempts: seal.maximumAttempts
        )
        return JobRun(job: job, leaseToken: token, queue: self)
    }

    /// The dead-letter state: nothing runs the job again until somebody has it begun anew.
    ///
    /// By its lease and not by its id, which may be what cannot be read.
    private func putAside(leasedBy token: String, because reason: String, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE jobs SET state = 'dead', finished_at = ?, last_error = ?, lease_token = NULL
                WHERE lease_token = ?
                """,
            arguments: [now(), Self.shown(reason), token]
        )
    }

    /// At most 500 characters of one line.
    static func shown(_ text: String) -> String {
        String(text.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}

extension JobSeal {
    /// Reads what a row says that its seal covers; nothing of it is believed yet.
    fileprivate init(_ row: Row) throws {
        let columns = try JobOwner.Columns(
            kind: row.decode(forColumn: "owner_kind"),
            name: row.decode(forColumn: "owner_name"),
            key: row.decode(forColumn: "owner_key")
        )
        guard let owner = JobOwner(columns) else { throw PermanentJobFailure("its row names no owner") }
        try self.init(
            id: row.decode(forColumn: "id"),
            kind: row.decode(forColumn: "kind"),
            idempotencyKey: row.decode(forColumn: "idempotency_key"),
            payload: Array(row.decode(Data.self, forColumn: "payload")),
            owner: owner,
            enrolment: row.decode(forColumn: "owner_enrolment"),
            maximumAttempts: row.decode(forColumn: "maximum_attempts"),
            enqueuedAt: row.decode(forColumn: "enqueued_at")
        )
    }
}

extension Row {
    /// A column's text, for people: whatever is there, it can be shown.
    func text(_ column: String) -> String { String.fromDatabaseValue(self[column]) ?? "(no text)" }
}
