public import GRDB

extension JobQueue {
    /// The number of jobs in each state.
    public struct Accounts: Hashable, Sendable, Codable {
        /// To be begun, now or later.
        public var waiting: Int
        /// Begun, by a worker that may be gone.
        public var running: Int
        /// Done.
        public var done: Int
        /// Put aside, until ``JobQueue/beginAnew(_:in:)``.
        public var dead: Int

        /// So many of each.
        public init(waiting: Int = 0, running: Int = 0, done: Int = 0, dead: Int = 0) {
            self.waiting = waiting
            self.running = running
            self.done = done
            self.dead = dead
        }

        /// Jobs that are neither done nor put aside.
        public var open: Int { waiting + running }
    }

    /// A job that was put aside.
    public struct DeadLetter: Hashable, Sendable, Codable {
        /// The job's id.
        public let id: String
        /// The handler that would run it.
        public let kind: String
        /// The number of times that it was begun.
        public let attempts: Int
        /// The reason why it was put aside.
        public let reason: String
    }

    /// Counts the jobs in each state.
    public static func accounts(in db: Database) throws -> Accounts {
        Accounts(try Row.fetchAll(db, sql: accountsSQL))
    }

    package static let accountsSQL = "SELECT state, COUNT(*) AS number FROM jobs GROUP BY state"

    /// Returns the jobs that were put aside, the oldest first.
    public static func deadLetters(in db: Database) throws -> [DeadLetter] {
        let sql = "SELECT id, kind, attempt, last_error FROM jobs WHERE state = 'dead' ORDER BY finished_at, id"
        return try Row.fetchAll(db, sql: sql).map { row in
            DeadLetter(
                id: row.text("id"),
                kind: row.text("kind"),
                attempts: Int.fromDatabaseValue(row["attempt"]) ?? 0,
                reason: row.text("last_error")
            )
        }
    }

    /// Has a job that was put aside begun anew, with all of its attempts, as its owner.
    ///
    /// It is due at once; workers see it when they next look at the table.
    ///
    /// - Returns: Whether there is such a job.
    @discardableResult
    public static func beginAnew(_ id: String, in db: Database) throws -> Bool {
        try db.execute(
            sql: """
                UPDATE jobs SET state = 'waiting', attempt = 0, due_at = 0, finished_at = NULL
                WHERE id = ? AND state = 'dead'
                """,
            arguments: [id]
        )
        return db.changesCount == 1
    }

    /// Removes what was done before a moment; its idempotency keys are free again.
    ///
    /// - Returns: How many jobs were removed.
    @discardableResult
    public static func removeDone(before moment: Int64, in db: Database) throws -> Int {
        try db.execute(sql: "DELETE FROM jobs WHERE state = 'done' AND finished_at < ?", arguments: [moment])
        return db.changesCount
    }
}

extension JobQueue.Accounts {
    /// Adds the rows of `accountsSQL` up.
    package init(_ rows: some Sequence<some JobRow>) {
        self.init()
        for row in rows {
            let number = Int((try? row.number(of: "number")) ?? 0)
            switch try? row.text(of: "state") {
            case "waiting": waiting = number
            case "running": running = number
            case "done": done = number
            default: dead = number
            }
        }
    }
}
