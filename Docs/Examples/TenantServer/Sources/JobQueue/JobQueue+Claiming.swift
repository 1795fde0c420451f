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
        let token = Self.newToken()
        let row = try db.rows(claiming(leasedBy: token, for: lease, in: .sqlite)).first
        let (claim, after) = try judge(row, leasedBy: token)
        if let after { _ = try db.change(after) }
        return claim
    }

    /// Names a lease.
    package static func newToken() -> String { UUID().uuidString.lowercased() }

    /// Decides what becomes of a claimed row.
    ///
    /// - Parameters:
    ///   - row: The row, if one was due.
    ///   - token: What names the lease that it was given.
    /// - Returns: What the claim is, and the statement that has to be run first, in the same transaction.
    /// - Throws: What ``Enrolment`` throws: no fault of the row's, so that the claim has to be undone.
    package func judge(_ row: (some TableRow)?, leasedBy token: String) throws -> (Claim, TableStatement?) {
        guard let row else { return (.nothingDue, nil) }
        let run: JobRun
        do {
            run = try self.run(of: row, leasedBy: token)
        } catch let error as PermanentJobFailure {
            let id = (try? row.text(of: "id")) ?? "(no text)"
            return (
                .putAside(id: id, reason: error.reason), puttingAside(leasedBy: token, because: error.reason)
            )
        }
        guard run.job.attempt <= run.job.maximumAttempts else {
            // Its last worker neither finished nor failed it; a job that kills its process must not do so for ever.
            let reason = "begun \(run.job.attempt - 1) times, and the last worker was gone before its lease ran out"
            return (.putAside(id: run.job.id, reason: reason), puttingAside(leasedBy: token, because: reason))
        }
        return (.run(run), nil)
    }

    /// Reads a claimed row, and believes nothing of it before its seal holds.
    private func run(of row: some TableRow, leasedBy token: String) throws -> JobRun {
        let (seal, code, keyID, attempt): (JobSeal, [UInt8], String, Int)
        do {
            (seal, code, keyID, attempt) = try (
                JobSeal(row), row.bytes(of: "seal"), row.text(of: "seal_key_id"), Int(row.number(of: "attempt"))
            )
        } catch let failure as PermanentJobFailure {
            throw failure
        } catch {
            // SQLite keeps whatever it is given in a column: a text where a number belongs.
            throw PermanentJobFailure("its seal cannot hold: a column of its row has a value of another type")
        }
        if let flaw = seal.flaw(in: code, keyID: keyID, keys) { throw PermanentJobFailure(flaw) }
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

    /// At most 500 characters of one line.
    static func shown(_ text: String) -> String {
        String(text.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}

extension JobSeal {
    /// Reads what a row says that its seal covers; nothing of it is believed yet.
    fileprivate init(_ row: some TableRow) throws {
        let columns = try JobOwner.Columns(
            kind: row.text(of: "owner_kind"),
            name: row.text(of: "owner_name"),
            key: row.text(of: "owner_key")
        )
        guard let owner = try JobOwner(columns, actors: row.text(of: "owner_actors")) else {
            throw PermanentJobFailure("its row names no owner")
        }
        try self.init(
            id: row.text(of: "id"),
            kind: row.text(of: "kind"),
            idempotencyKey: row.text(of: "idempotency_key"),
            payload: row.bytes(of: "payload"),
            owner: owner,
            enrolment: row.text(of: "owner_enrolment"),
            maximumAttempts: Int(row.number(of: "maximum_attempts")),
            enqueuedAt: row.number(of: "enqueued_at")
        )
    }
}
