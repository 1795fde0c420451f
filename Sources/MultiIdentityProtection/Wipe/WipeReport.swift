public import MultiIdentity
public import MultiIdentityFiles

/// What a wipe removed, what it did not, and why.
public struct WipeReport: Hashable, Codable, Sendable {
    /// Whose data it was.
    public let identity: Identity
    /// Whether nothing failed: files are gone, keys destroyed, and this report is on the disk.
    ///
    /// Where it did not, the identity stays revoked, and wiping it again goes on.
    public let isComplete: Bool
    /// How many runs it took: more than 1 after a crash or a failure.
    public let runs: Int
    /// Whether the account was managed still in the last run.
    public let wasManaged: Bool
    /// When the first run began, in seconds since 1970.
    public let began: Int64
    /// When the last run ended, in seconds since 1970.
    public let ended: Int64
    /// What the handler said of the files; `nil` where it threw or was not reached.
    public let handled: HandledFiles?
    /// How many files the storages removed, in all runs.
    public let files: UInt64
    /// How many bytes these had.
    public let bytes: UInt64
    /// Whether ``files`` and ``bytes`` are exact; a crash while files are removed can lose the count of the last
    /// second.
    public let isCountExact: Bool
    /// What became of the keys.
    public let keys: Keys
    /// What became of work in flight, in the last run.
    public let work: Work
    /// What was not removed and why: the first thousand at most, of ``failureCount``.
    public let failures: [WipeFailure]
    /// How many failures there were.
    public let failureCount: Int
    /// How many places in the journal could not be read; what they told was found out anew.
    public let journalDamage: Int
    /// How long each phase took in the last run.
    public let times: [WipePhaseTime]

    /// Whether it was taken up again after a crash or a failure.
    public var wasResumed: Bool { runs > 1 }
}

extension WipeReport {
    /// What became of an identity's keys.
    public struct Keys: Hashable, Codable, Sendable {
        /// What became of keys.
        public enum Outcome: String, Hashable, Codable, Sendable, CaseIterable {
            /// There is no provider of keys.
            case none
            /// They are kept, since something else is left.
            case kept
            /// They are destroyed.
            case destroyed
        }

        /// What became of them.
        public let outcome: Outcome
        /// How many there were, where the provider can tell (``CountedIdentityKeys``).
        public let count: Int?
    }

    /// What became of an identity's work.
    public struct Work: Hashable, Codable, Sendable {
        /// How many cancellation handlers were called.
        public let cancelled: Int
        /// How many pieces of work had been captured, and run under nobody if they still run.
        public let captured: Int
        /// How much work ran on when the time for draining was up.
        public let stillRunning: Int
        /// What that was, where running work is recorded (`RunningWork`).
        public let names: [String]
    }
}

extension WipeReport: CustomStringConvertible {
    /// A line that sums up, and a line for each failure.
    public var description: String {
        let state = isComplete ? "complete" : "incomplete"
        let count = "\(isCountExact ? "" : "at least ")\(files) files, \(bytes) bytes"
        let head = "wipe of \(identity) \(state): \(count), keys \(keys.outcome), run \(runs)"
        let work = work.stillRunning > 0 ? ["still running: \(work.stillRunning)"] + work.names : []
        let more = failureCount > failures.count ? ["and \(failureCount - failures.count) more"] : []
        return ([head] + work + failures.map(\.description) + more).joined(separator: "\n")
    }
}
