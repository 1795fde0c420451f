import JobQueue
import Logging
import MultiIdentity
import MultiIdentityProtection
import ServiceLifecycle
import SignedIdentity

/// Jobs in a database: each runs as its owner, also after this process was killed and started again.
struct JobsInDatabase: JobEnqueuing, Service {
    private let database: any JobDatabase
    private let workers: JobWorkers
    private let tenantKeys: KeyFile?

    /// - Parameters:
    ///   - location: The database. A file is made if it is not there; PostgreSQL has its tables (`tenant-server schema`).
    ///   - keys: What jobs are sealed with.
    ///   - tenantKeys: The tenants' keys, where they have some: who was wiped and begins anew has another first key, and
    ///     runs no job of before, though its row came back from a backup.
    ///   - keeping: The way in which the user of work is kept.
    ///   - logger: Where to tell of jobs that fail.
    /// - Throws: What the database throws.
    init(
        _ location: DatabaseLocation,
        keys: KeyRing,
        tenantKeys: KeyFile? = nil,
        keeping: IdentityKeeping,
        logger: Logger
    ) throws {
        self.tenantKeys = tenantKeys
        let queue =
            if let tenantKeys {
                JobQueue(keys: keys, enrolment: { try tenantKeys.firstKeyID(of: $0)?.description })
            } else {
                JobQueue(keys: keys)
            }
        let database: any JobDatabase =
            switch location {
            case .file(let path): try SQLiteJobDatabase(path: path, queue: queue)
            case .postgreSQL(let url, let workers):
                try PostgreSQLJobDatabase(url: url, workersURL: workers, queue: queue)
            }
        self.database = database
        var options = JobWorkers.Options()
        options.lease = .seconds(5)
        workers = try database.workers(
            options,
            handlers: ["note": Self.note(in: database, keeping, logger)],
            logger: logger,
            // A tenant who is signed out or wiped: the job is put aside, and runs as nobody else.
            admits: { owner in try IdentityRevocation.admit(owner.identity) }
        )
    }

    func run() async throws { try await workers.run() }

    func enqueue(_ errand: Errand) async throws -> Sighting {
        let job = NewJob("note", idempotencyKey: errand.jobKey, payload: Array(errand.marker.text.utf8))
        let seen = try await errand.asOwner {
            try await database.enqueue(job) { [tenantKeys] in
                try IdentityRevocation.admit(workOf: EffectiveIdentity.current(for: .files))
                // An enqueuing identity has an account: its first key, which a claim only looks for.
                _ = try tenantKeys?.currentKey(for: Identity.required())
                return errand.caller.name
            }
        }
        errand.sighting(at: "job enqueued")
        return Sighting(as: seen, place: "job enqueued")
    }

    func erase(_ tenant: Identity) async throws { try await database.erase(tenant) }

    /// A job's work: its note and its end are written in one transaction, so that it takes effect once.
    private static func note(
        in database: any JobDatabase,
        _ keeping: IdentityKeeping,
        _ logger: Logger
    ) -> JobWorkers.Handler {
        { run in
            guard let marker = Marker(String(decoding: run.job.payload, as: UTF8.self)) else {
                throw PermanentJobFailure("the payload is no marker")
            }
            // The queue binds its owner whatever the server does; where that is not the package, it is handed on.
            let owner: Caller = keeping == .carried ? .carried : .passed(Identity.current?.name ?? "no one")
            let errand = Errand(caller: owner, marker: marker, logger: logger)
            try await database.note(marker, madeAs: { errand.caller.name }, in: run)
            errand.sighting(at: "job")
        }
    }
}
