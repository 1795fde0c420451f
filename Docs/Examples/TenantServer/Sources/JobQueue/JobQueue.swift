import Foundation
public import GRDB
public import MultiIdentity
public import SignedIdentity

/// Background jobs in a database, each run as the identity that enqueued it, however long after and in whatever process.
///
/// ```swift
/// try pool.write { db in
///     try order.insert(db)
///     try jobs.enqueue(NewJob("receipt", idempotencyKey: order.id), in: db)  // both are written, or neither
/// }
/// ```
///
/// A job is begun at least once and, if its handler ends it with ``JobRun/finish(in:)``, takes effect exactly once.
public struct JobQueue: Sendable {
    /// The treatment of jobs that are enqueued where no identity is bound.
    public enum Ownerless: Hashable, Sendable {
        /// Enqueuing throws: a lost identity is noticed where it was lost.
        case refused
        /// The job runs with none bound.
        case taken
    }

    /// Gives the number of an identity's present enrolment, another one whenever the account is made anew.
    ///
    /// It gives `nil` where there is no such account, and throws where that cannot be known now: no job is claimed then.
    public typealias Enrolment = @Sendable (Identity) throws -> String?

    let keys: KeyRing
    let ownerless: Ownerless
    let enrolment: Enrolment
    let now: @Sendable () -> Int64
    let bell = Bell()

    /// A queue over the table `jobs`, which ``prepare(_:)`` makes.
    ///
    /// - Parameters:
    ///   - keys: What rows are sealed with. Code that has them can make a job that runs as anybody.
    ///   - ownerless: Whether jobs are taken where no identity is bound. (Nobody is an owner, and always taken.)
    ///   - enrolment: Asked when a job is enqueued, and again when it is claimed: a job of an earlier account of the same name
    ///     is put aside. Where it is left out, names are never given again; a row that comes back after its owner was
    ///     removed, as from a backup, would run as the next owner of the name.
    ///   - now: Milliseconds since 1970; the system's clock, if `nil`.
    public init(
        keys: KeyRing,
        ownerless: Ownerless = .refused,
        enrolment: @escaping Enrolment = { _ in "" },
        now: (@Sendable () -> Int64)? = nil
    ) {
        self.keys = keys
        self.ownerless = ownerless
        self.enrolment = enrolment
        self.now = now ?? { Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)) }
    }

    /// Captured when enqueued: stores a job that will run as the identity that is current at the call.
    ///
    /// It is part of the transaction that `db` is in: it is there exactly if that commits.
    ///
    /// - Parameters:
    ///   - job: What to do.
    ///   - db: The connection, within a write.
    /// - Returns: The job's id; that of the first one where the owner enqueued it before, whatever has become of it.
    /// - Throws: ``JobQueueError`` with the code `ownerless`, `notEnrolled`, `invalidJob`, or `keyInUse` where the job enqueued
    ///   before has another payload; whatever the database and ``Enrolment`` throw.
    @discardableResult
    public func enqueue(_ job: NewJob, in db: Database) throws -> String {
        try job.validate()
        let owner = JobOwner.current
        if owner == .unset, ownerless == .refused {
            throw JobQueueError(
                .ownerless,
                """
                The job \(job.kind) \(job.idempotencyKey) was enqueued where no identity is bound, so nobody knows as \
                whom to run it. Bind one, or .nobody for work that is nobody's.
                """
            )
        }
        guard let enrolment = try enrolment(of: owner) else {
            throw JobQueueError(
                .notEnrolled,
                """
                The job \(job.kind) \(job.idempotencyKey) was enqueued as \(owner), of whom there is no account. Enroll it \
                before it enqueues jobs.
                """
            )
        }
        let enqueuedAt = now()
        let seal = JobSeal(
            id: UUID().uuidString.lowercased(),
            kind: job.kind,
            idempotencyKey: job.idempotencyKey,
            payload: job.payload,
            owner: owner,
            enrolment: enrolment,
            maximumAttempts: job.maximumAttempts,
            enqueuedAt: enqueuedAt
        )
        guard try insert(seal, dueAt: enqueuedAt + job.delay.milliseconds, in: db) else {
            return try idOfTheFirst(seal, in: db)
        }
        // The closure runs wherever the transaction ends, as what ends it; it carries nothing.
        db.afterNextTransaction { [bell] _ in bell.ring() }
        return seal.id
    }

    /// The number of an owner's present enrolment: empty for what is nobody's account, `nil` where there is none.
    func enrolment(of owner: JobOwner) throws -> String? {
        if case .identity(let identity) = owner { try enrolment(identity) } else { "" }
    }

    private func insert(_ job: JobSeal, dueAt: Int64, in db: Database) throws -> Bool {
        let owner = job.owner.columns
        try db.execute(
            sql: """
                INSERT INTO jobs (id, kind, idempotency_key, payload, owner_kind, owner_name, owner_key,
                    owner_enrolment, seal, seal_key_id, maximum_attempts, enqueued_at, due_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (owner_kind, owner_key, owner_enrolment, kind, idempotency_key) DO NOTHING
                """,
            arguments: [
                job.id, job.kind, job.idempotencyKey, Data(job.payload), owner.kind, owner.name, owner.key,
                job.enrolment, Data(keys.code(for: job.bytes)), keys.currentID, job.maximumAttempts, job.enqueuedAt,
                dueAt,
            ]
        )
        return db.changesCount == 1
    }

    private func idOfTheFirst(_ job: JobSeal, in db: Database) throws -> String {
        let owner = job.owner.columns
        let first = try Row.fetchOne(
            db,
            sql: """
                SELECT id, payload FROM jobs
                WHERE owner_kind = ? AND owner_key = ? AND owner_enrolment = ? AND kind = ? AND idempotency_key = ?
                """,
            arguments: [owner.kind, owner.key, job.enrolment, job.kind, job.idempotencyKey]
        )
        guard let first, first["payload"] as Data == Data(job.payload) else {
            throw JobQueueError(
                .keyInUse,
                "\(job.owner) enqueued another \(job.kind) with the key \(job.idempotencyKey). Give each job its own key."
            )
        }
        return first["id"]
    }
}
