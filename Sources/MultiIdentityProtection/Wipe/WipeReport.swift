public import MultiIdentity
public import MultiIdentityFiles

/// A report of what a wipe removed, what it did not, and why.
public struct WipeReport: Hashable, Codable, Sendable {
    /// The owner of the data.
    public let identity: Identity
    /// Indicates whether nothing failed: files are gone, keys destroyed, and this report is on the disk.
    ///
    /// Where it did not, the identity stays revoked, and wiping it again goes on.
    public let isComplete: Bool
    /// The number of runs that it took: more than 1 after a crash or a failure.
    public let runs: Int
    /// Indicates whether the account was managed still in the last run.
    public let wasManaged: Bool
    /// The start of the first run, in seconds since 1970.
    public let began: Int64
    /// The end of the last run, in seconds since 1970.
    public let ended: Int64
    /// The handler's answer about the files; `nil` where it threw or was not reached.
    public let handled: HandledFiles?
    /// The number of files that the storages removed, in all runs.
    public let files: UInt64
    /// The number of bytes of these files.
    public let bytes: UInt64
    /// Indicates whether ``files`` and ``bytes`` are exact; a crash while files are removed can lose the count of the
    /// last second.
    public let isCountExact: Bool
    /// The outcome for the keys.
    public let keys: Keys
    /// The number of keys, where the provider can tell (``IdentityKeyProvider/keyCount(of:)``).
    public let keyCount: Int?
    /// The outcome for work in flight, in the last run.
    public let work: Work
    /// The failures: what was not removed and why; the first thousand at most, of ``failureCount``.
    public let failures: [WipeFailure]
    /// The number of failures.
    public let failureCount: Int
    /// The number of places in the journal that could not be read; what they said was found out anew.
    public let journalDamage: Int
    /// The time that each phase took in the last run, in seconds.
    public let seconds: [WipePhase: Double]
}

extension WipeReport {
    /// An outcome for an identity's keys.
    public enum Keys: String, Hashable, Codable, Sendable {
        /// There is no provider of keys.
        case none
        /// They are kept, since something else is left.
        case kept
        /// They are destroyed.
        case destroyed
    }

    /// The outcome for an identity's work.
    public struct Work: Hashable, Codable, Sendable {
        /// The number of cancellation handlers that were called.
        public let cancelled: Int
        /// The number of pieces of work that had been captured, and run under nobody if they still run.
        public let captured: Int
        /// The amount of work that ran on when the time for draining was up.
        public let stillRunning: Int
        /// The names of that work, where running work is recorded (`RunningWork`).
        public let names: [String]
    }
}

extension WipeReport: CustomStringConvertible {
    /// A line that sums up, and a line for each failure.
    public var description: String {
        let state = isComplete ? "complete" : "incomplete"
        let count = "\(isCountExact ? "" : "at least ")\(files) files, \(bytes) bytes"
        let head = "wipe of \(identity) \(state): \(count), keys \(keys), run \(runs)"
        let work = work.stillRunning > 0 ? ["still running: \(work.stillRunning)"] + work.names : []
        let more = failureCount > failures.count ? ["and \(failureCount - failures.count) more"] : []
        return ([head] + work + failures.map(\.description) + more).joined(separator: "\n")
    }
}
