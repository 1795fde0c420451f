public import MultiIdentity
public import MultiIdentityFiles

/// A report of what a wipe removed, what it did not, and why.
public struct WipeReport: Hashable, Codable, Sendable {
    /// The owner of the data.
    public let identity: Identity
    /// Indicates whether nothing failed: the files are removed, the keys destroyed, and this report is on the disk.
    ///
    /// If not, the identity stays revoked; wipe it again to continue.
    public let isComplete: Bool
    /// The number of runs so far: more than 1 after a crash or a failure.
    public let runs: Int
    /// Indicates whether the account was still managed in the last run.
    public let wasManaged: Bool
    /// The start of the first run, in seconds since 1970.
    public let began: Int64
    /// The end of the last run, in seconds since 1970.
    public let ended: Int64
    /// The handler's answer about the files; `nil` if it threw or was not called.
    public let handled: IdentityWipe.HandledFiles?
    /// The number of files that the storages removed in all runs.
    public let files: UInt64
    /// The number of bytes of these files.
    public let bytes: UInt64
    /// Indicates whether ``files`` and ``bytes`` are exact; a crash during removal can lose the count of the last
    /// second.
    public let isCountExact: Bool
    /// The outcome for the keys.
    public let keys: Keys
    /// The number of keys, if the provider knows it (``IdentityKeyProvider/keyCount(of:)``).
    public let keyCount: Int?
    /// The outcome for running work, in the last run.
    public let work: Work
    /// What was not removed and why; at most the first thousand of ``failureCount``.
    public let failures: [WipeFailure]
    /// The number of failures.
    public let failureCount: Int
    /// The number of unreadable parts of the journal; their content was determined again.
    package let journalDamage: Int
    /// The time that each phase took in the last run, in seconds.
    public let seconds: [WipePhase: Double]
}

extension WipeReport {
    /// An outcome for an identity's keys.
    public enum Keys: String, Hashable, Codable, Sendable {
        /// There is no provider of keys.
        case none
        /// The keys are kept, because something else is left, or in a dry run.
        case kept
        /// The keys are destroyed.
        case destroyed
    }

    /// The outcome for an identity's work.
    public struct Work: Hashable, Codable, Sendable {
        /// The number of cancellation handlers that were called.
        public let cancelled: Int
        /// The number of captured work items; if they run later, they run under nobody.
        public let captured: Int
        /// The amount of work that was still running at the time limit.
        public let stillRunning: Int
        /// The names of that work, if running work is recorded (`RunningWork`).
        public let names: [String]
    }
}

extension WipeReport: CustomStringConvertible {
    /// A summary line, and a line for each failure.
    public var description: String {
        let state = isComplete ? "complete" : "incomplete"
        let count = "\(isCountExact ? "" : "at least ")\(files) files, \(bytes) bytes"
        let head = "wipe of \(identity) \(state): \(count), keys \(keys), run \(runs)"
        let work = work.stillRunning > 0 ? ["still running: \(work.stillRunning)"] + work.names : []
        let more = failureCount > failures.count ? ["and \(failureCount - failures.count) more"] : []
        return ([head] + work + failures.map(\.description) + more).joined(separator: "\n")
    }
}
