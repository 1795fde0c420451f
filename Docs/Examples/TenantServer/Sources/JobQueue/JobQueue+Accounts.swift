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
        Accounts(try db.rows(counting))
    }

    /// Returns the jobs that were put aside, the oldest first.
    public static func deadLetters(in db: Database) throws -> [DeadLetter] {
        try db.rows(listingDeadLetters).map { DeadLetter($0) }
    }

    /// Has a job that was put aside begun anew, with all of its attempts, as its owner.
    ///
    /// It is due at once; workers see it when they next look at the table.
    ///
    /// - Returns: Whether there is such a job.
    @discardableResult
    public static func beginAnew(_ id: String, in db: Database) throws -> Bool {
        try db.change(beginningAnew(id)) == 1
    }

    /// Removes what was done before a moment; its idempotency keys are free again.
    ///
    /// - Returns: How many jobs were removed.
    @discardableResult
    public static func removeDone(before moment: Int64, in db: Database) throws -> Int {
        try db.change(removingDone(before: moment))
    }
}

extension JobQueue.DeadLetter {
    /// A row of `listingDeadLetters`: whatever is there, it can be shown.
    package init(_ row: some TableRow) {
        func text(_ column: String) -> String { (try? row.text(of: column)) ?? "(no text)" }
        id = text("id")
        kind = text("kind")
        attempts = Int((try? row.number(of: "attempt")) ?? 0)
        reason = text("last_error")
    }
}

extension JobQueue.Accounts {
    /// Adds the rows of `counting` up.
    package init(_ rows: some Sequence<some TableRow>) {
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
