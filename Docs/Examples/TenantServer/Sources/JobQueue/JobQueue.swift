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
        let seal = try self.seal(job)
        guard try db.change(insertion(of: seal, after: job.delay)) == 1 else {
            return try id(ofTheFirst: seal, in: db.rows(Self.first(seal)))
        }
        // The closure runs wherever the transaction ends, as what ends it; it carries nothing.
        db.afterNextTransaction { [bell] _ in bell.ring() }
        return seal.id
    }

    /// Has the workers of this process look for jobs now, and not when they would next.
    ///
    /// For after a transaction of PostgreSQL that has enqueued one; SQLite's do it themselves.
    public func wakeWorkers() { bell.ring() }

    /// Captured when enqueued: the job as it will be stored, of the current identity.
    package func seal(_ job: NewJob) throws -> JobSeal {
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
        return JobSeal(
            id: UUID().uuidString.lowercased(),
            kind: job.kind,
            idempotencyKey: job.idempotencyKey,
            payload: job.payload,
            owner: owner,
            enrolment: enrolment,
            maximumAttempts: job.maximumAttempts,
            enqueuedAt: now()
        )
    }

    /// The number of an owner's present enrolment: empty for what is nobody's account, `nil` where there is none.
    func enrolment(of owner: JobOwner) throws -> String? {
        if case .identity(let identity) = owner { try enrolment(identity) } else { "" }
    }

    /// The id of the job that was enqueued before with the same key.
    package func id(ofTheFirst seal: JobSeal, in rows: [some TableRow]) throws -> String {
        guard let first = rows.first, try first.bytes(of: "payload") == seal.payload else {
            throw JobQueueError(
                .keyInUse,
                "\(seal.owner) enqueued another \(seal.kind) with the key \(seal.idempotencyKey). Give each job its own key."
            )
        }
        return try first.text(of: "id")
    }
}
