import JobQueue
import MultiIdentity
import PostgreSQLIdentity
import PostgreSQLJobs

/// The database of the run of leavers, as the role that sees everybody's rows.
struct LeavingRows {
    private let connection: PostgreSQLConnection

    init(_ url: String) async throws { connection = try await PostgreSQLConnection.open(url) }

    func close() { connection.close() }

    /// The number of rows that were written for a user.
    func notes(of user: Int) async throws -> Int {
        let sql = "SELECT count(*) AS all FROM notes WHERE owner = $1"
        return try await connection.query(sql, [LeavingMember.name(of: user)]).rows[0].decode(Int.self, "all")
    }

    /// The number of rows that were written, by who they were written for, and of those that jobs wrote.
    func notes() async throws -> (of: [String: Int], byJobs: Int) {
        let sql = """
            SELECT owner, count(*) AS all, count(*) FILTER (WHERE title = 'job') AS jobs FROM notes GROUP BY owner
            """
        var (notes, byJobs): ([String: Int], Int) = ([:], 0)
        for row in try await connection.query(sql).rows {
            notes[try row.decode(String.self, "owner")] = try row.decode(Int.self, "all")
            byJobs += try row.decode(Int.self, "jobs")
        }
        return (notes, byJobs)
    }

    /// The number of jobs that are neither done nor put aside, once there is none or the time is over.
    func openJobs(within limit: Duration) async throws -> Int {
        let end = ContinuousClock.now + limit
        while true {
            let open = try await JobQueue.accounts(in: connection).open
            if open == 0 || ContinuousClock.now > end { return open }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// The number of jobs of each owner who has any, whatever their state.
    func ownersOfJobs() async throws -> [String] {
        let sql = "SELECT owner_key, count(*) AS all FROM jobs GROUP BY owner_key ORDER BY owner_key"
        return try await connection.query(sql).rows.map { row in
            "\(try row.decode(Int.self, "all")) of \(try row.decode(String.self, "owner_key"))"
        }
    }
}
