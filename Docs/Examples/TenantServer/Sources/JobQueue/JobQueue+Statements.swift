import SignedIdentity

/// The queue's statements, which SQLite and PostgreSQL both run.
extension JobQueue {
    /// The database that the SQL is for.
    package enum Dialect: Sendable {
        case sqlite, postgreSQL
    }

    /// Stores a job, unless its owner enqueued one of that kind with its key before.
    package func insertion(of job: JobSeal, after delay: Duration) -> TableStatement {
        let owner = job.owner.columns
        return TableStatement(
            """
            INSERT INTO jobs (id, kind, idempotency_key, payload, owner_kind, owner_name, owner_key,
                owner_enrolment, seal, seal_key_id, maximum_attempts, enqueued_at, due_at, owner_actors)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
            ON CONFLICT (owner_kind, owner_key, owner_enrolment, kind, idempotency_key) DO NOTHING
            """,
            [
                .text(job.id), .text(job.kind), .text(job.idempotencyKey), .bytes(job.payload), .text(owner.kind),
                .text(owner.name), .text(owner.key), .text(job.enrolment), .bytes(keys.code(for: job.bytes)),
                .text(keys.currentID), .number(Int64(job.maximumAttempts)), .number(job.enqueuedAt),
                .number(job.enqueuedAt + delay.milliseconds), .text(job.owner.actors),
            ]
        )
    }

    /// Returns the job that the same owner enqueued with the same key.
    package static func first(_ job: JobSeal) -> TableStatement {
        let owner = job.owner.columns
        return TableStatement(
            """
            SELECT id, payload FROM jobs
            WHERE owner_kind = $1 AND owner_key = $2 AND owner_enrolment = $3 AND kind = $4 AND idempotency_key = $5
            """,
            [.text(owner.kind), .text(owner.key), .text(job.enrolment), .text(job.kind), .text(job.idempotencyKey)]
        )
    }

    /// Takes the job that has been due for longest.
    ///
    /// - Parameters:
    ///   - token: What names the new lease.
    ///   - lease: How long it lasts.
    ///   - dialect: The database that runs it: PostgreSQL locks the row past those of others, SQLite has one writer.
    /// - Returns: The statement; it returns the row.
    package func claiming(leasedBy token: String, for lease: Duration, in dialect: Dialect) -> TableStatement {
        let now = now()
        let sql = String(decoding: PackageResources.claim_sql, as: UTF8.self)
        return TableStatement(
            dialect == .sqlite ? sql : sql.replacing("-- PostgreSQL: ", with: ""),
            [.text(token), .number(now + lease.milliseconds), .number(now)]
        )
    }

    /// The dead-letter state: nothing runs the job again until somebody has it begun anew.
    ///
    /// By its lease and not by its id, which may be what cannot be read.
    func puttingAside(leasedBy token: String, because reason: String) -> TableStatement {
        TableStatement(
            "UPDATE jobs SET state = 'dead', finished_at = $1, last_error = $2, lease_token = NULL WHERE lease_token = $3",
            [.number(now()), .text(Self.shown(reason)), .text(token)]
        )
    }

    /// Removes all of an owner.
    package static func removal(of owner: JobOwner) -> TableStatement {
        TableStatement(
            "DELETE FROM jobs WHERE owner_kind = $1 AND owner_key = $2",
            [.text(owner.columns.kind), .text(owner.columns.key)]
        )
    }

    /// Counts the jobs in each state.
    package static let counting = TableStatement("SELECT state, COUNT(*) AS number FROM jobs GROUP BY state")

    /// Lists what was put aside, the oldest first.
    package static let listingDeadLetters = TableStatement(
        "SELECT id, kind, attempt, last_error FROM jobs WHERE state = 'dead' ORDER BY finished_at, id"
    )

    /// Has a job begun anew, if it was put aside.
    package static func beginningAnew(_ id: String) -> TableStatement {
        TableStatement(
            "UPDATE jobs SET state = 'waiting', attempt = 0, due_at = 0, finished_at = NULL WHERE id = $1 AND state = 'dead'",
            [.text(id)]
        )
    }

    /// Removes what was done before a moment.
    package static func removingDone(before moment: Int64) -> TableStatement {
        TableStatement("DELETE FROM jobs WHERE state = 'done' AND finished_at < $1", [.number(moment)])
    }

    /// Returns a job's state.
    package static func stateStatement(of job: Job) -> TableStatement {
        TableStatement("SELECT state FROM jobs WHERE id = $1", [.text(job.id)])
    }
}

extension JobRun {
    /// Marks the job as done.
    package var finishing: TableStatement {
        TableStatement(
            "UPDATE jobs SET state = 'done', finished_at = $1, lease_token = NULL WHERE id = $2 AND lease_token = $3",
            [.number(queue.now()), .text(job.id), .text(leaseToken)]
        )
    }

    func renewing(for lease: Duration) -> TableStatement {
        TableStatement(
            "UPDATE jobs SET due_at = $1 WHERE id = $2 AND lease_token = $3",
            [.number(queue.now() + lease.milliseconds), .text(job.id), .text(leaseToken)]
        )
    }

    func failing(because error: any Error, isLast: Bool, retryAfter delay: Duration) -> TableStatement {
        let now = queue.now()
        return TableStatement(
            """
            UPDATE jobs SET state = $1, due_at = $2, finished_at = $3, last_error = $4, lease_token = NULL
            WHERE id = $5 AND lease_token = $6
            """,
            [
                isLast ? "dead" : "waiting", .number(now + delay.milliseconds), isLast ? .number(now) : .null,
                .text(JobQueue.shown("\(error)")), .text(job.id), .text(leaseToken),
            ]
        )
    }

    /// As if it had not been begun.
    var givingBack: TableStatement {
        TableStatement(
            """
            UPDATE jobs SET state = 'waiting', attempt = attempt - 1, due_at = $1, lease_token = NULL
            WHERE id = $2 AND lease_token = $3
            """,
            [.number(queue.now()), .text(job.id), .text(leaseToken)]
        )
    }
}
