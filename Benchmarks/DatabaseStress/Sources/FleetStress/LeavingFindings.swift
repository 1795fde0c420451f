/// The findings of a run of leavers: how long each acknowledgement took, and what happened after it.
struct LeavingFindings {
    private var moments: [Int: Int64] = [:]
    private var durations: [Int64] = []
    /// The number of leavers with work that did not end in time.
    private(set) var unsettled = 0
    /// The number of users that a process was seen to work for, at each process.
    private(set) var seen = 0
    /// The number of rows of each leaver at the acknowledgement.
    var notes: [Int: Int] = [:]
    /// The number of jobs that came due when their owners had left.
    private(set) var putAside = 0
    /// The effects after an acknowledgement, and what else there should not be.
    private(set) var late: [String] = []

    mutating func acknowledged(_ user: Int, begun: Int64, at moment: Int64, isSettled: Bool) {
        if !isSettled { unsettled += 1 }
        durations.append(moment - begun)
        moments[user] = moment
    }

    /// Takes note of a wipe, which has found jobs that were put aside, or failed.
    mutating func wiped(_ user: Int, putAside: Int?) {
        guard let putAside else { return late.append("the jobs of user \(user) could not be removed") }
        self.putAside += putAside
    }

    /// Judges when a process last did something for a user.
    mutating func worked(for user: Int, at last: Int64, in process: Int) {
        seen += 1
        guard let moment = moments[user], last > moment else { return }
        late.append("process \(process) worked for user \(user) \(last - moment) µs after that")
    }

    /// Judges the rows that there are at the end, by the names of their owners.
    mutating func wrote(_ rows: [String: Int]) {
        for user in notes.keys.sorted() where rows[LeavingMember.name(of: user)] ?? 0 != notes[user] {
            late.append("the database has rows of user \(user) that came after that")
        }
    }

    /// Judges the jobs that there are when all have left.
    mutating func hasJobs(_ owners: [String], open: Int) {
        if open > 0 { late.append("\(open) jobs are still to be run, though all have left") }
        late += owners.map { "the queue has \($0), who has left" }
    }

    /// The time from the request to its acknowledgement, as a sentence says it.
    var times: String {
        let sorted = durations.sorted()
        let shares = [0.5, 0.99, 1].map { share in
            let microseconds = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
            return "\(Double(microseconds / 10) / 100) ms"
        }
        return "\(shares[0]) in the middle, \(shares[1]) for 99 in 100, \(shares[2]) at most"
    }
}
