import Foundation
import GRDB
import JobQueue
import Logging
import MultiIdentity
import MultiIdentityProtection
import ServiceLifecycle
import SignedIdentity

/// Jobs in a database: each runs as its owner, also after this process was killed and started again.
struct JobsInDatabase: JobEnqueuing, Service {
    private let pool: DatabasePool
    private let queue: JobQueue
    private let workers: JobWorkers
    private let tenantKeys: KeyFile?

    /// - Parameters:
    ///   - path: The database's file; made if it is not there.
    ///   - keys: What jobs are sealed with.
    ///   - tenantKeys: The tenants' keys, where they have some: who was wiped and begins anew has another first key, and
    ///     runs no job of before, though its row came back from a backup.
    ///   - keeping: The way in which the user of work is kept.
    ///   - logger: Where to tell of jobs that fail.
    /// - Throws: What the database throws.
    init(path: String, keys: KeyRing, tenantKeys: KeyFile? = nil, keeping: IdentityKeeping, logger: Logger) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        // A killed process loses nothing; a power cut may lose the last commits.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = normal")
            try JobQueue.overwriteRemoved(in: db)
        }
        pool = try DatabasePool(path: path, configuration: configuration)
        try JobQueue.prepare(pool)
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS notes (
                        marker TEXT NOT NULL, made_as TEXT NOT NULL, attempt INTEGER NOT NULL
                    )
                    """
            )
        }
        self.tenantKeys = tenantKeys
        queue =
            if let tenantKeys {
                JobQueue(keys: keys, enrolment: { try tenantKeys.firstKeyID(of: $0)?.description })
            } else {
                JobQueue(keys: keys)
            }
        var options = JobWorkers.Options()
        options.lease = .seconds(5)
        workers = JobWorkers(
            queue,
            of: pool,
            options: options,
            handlers: ["note": Self.note(in: pool, keeping, logger)],
            logger: logger,
            // A tenant who is signed out or wiped: the job is put aside, and runs as nobody else.
            admits: { owner in try IdentityRevocation.admit(owner.identity) }
        )
    }

    func run() async throws { try await workers.run() }

    func enqueue(_ errand: Errand) async throws -> Sighting {
        let job = NewJob("note", idempotencyKey: errand.jobKey, payload: Array(errand.marker.text.utf8))
        let seen = try await errand.asOwner {
            try await pool.write { [queue, tenantKeys] db in
                // Asked inside the transaction, so that nothing is written behind a wipe's back.
                try IdentityRevocation.admit(workOf: EffectiveIdentity.current(for: .files))
                // An enqueuing identity has an account: its first key, which a claim only looks for.
                _ = try tenantKeys?.currentKey(for: Identity.required())
                try queue.enqueue(job, in: db)
                return errand.caller.name
            }
        }
        errand.sighting(at: "job enqueued")
        return Sighting(as: seen, place: "job enqueued")
    }

    func erase(_ tenant: Identity) async throws {
        try await pool.write { db in
            try JobQueue.remove(of: .identity(tenant), in: db)
            for name in try String.fetchAll(db, sql: "SELECT DISTINCT made_as FROM notes") {
                guard (try? Identity(name)) == tenant else { continue }
                try db.execute(sql: "DELETE FROM notes WHERE made_as = ?", arguments: [name])
            }
        }
        try JobQueue.forgetRemoved(in: pool)
    }

    /// A job's work: its note and its end are written in one transaction, so that it takes effect once.
    private static func note(in pool: DatabasePool, _ keeping: IdentityKeeping, _ logger: Logger) -> JobWorkers.Handler
    {
        { run in
            guard let marker = Marker(String(decoding: run.job.payload, as: UTF8.self)) else {
                throw PermanentJobFailure("the payload is no marker")
            }
            // The queue binds its owner whatever the server does; where that is not the package, it is handed on.
            let owner: Caller = keeping == .carried ? .carried : .passed(Identity.current?.name ?? "no one")
            let errand = Errand(caller: owner, marker: marker, logger: logger)
            try await pool.write { db in
                try db.execute(
                    sql: "INSERT INTO notes (marker, made_as, attempt) VALUES (?, ?, ?)",
                    arguments: [marker.text, errand.caller.name, run.job.attempt]
                )
                try run.finish(in: db)
            }
            errand.sighting(at: "job")
        }
    }
}
