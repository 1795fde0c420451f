public import MultiIdentity
public import MultiIdentityFiles

/// The status of a wipe that has a journal or a report.
public struct WipeStatus: Hashable, Codable, Sendable {
    /// The state of a wipe.
    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        /// It is under way in this process.
        case running
        /// Somebody else has its journal open, as another process that runs it.
        case inUse
        /// It was interrupted, or something is left: it can be resumed.
        case unfinished
        /// Nothing is left; the report is kept.
        case complete
        /// Its journal cannot be read or may not be used, so that its identity is not known.
        case unreadable
    }

    /// The state of the wipe.
    public let state: State
    /// The owner of the data; `nil` where the journal does not tell.
    public let identity: Identity?
    /// The phase that the last run came to, as its journal has it; `nil` where it has ended.
    public let phase: WipePhase?
    /// The report of the last run that ended.
    public let report: WipeReport?
    /// The reason why the journal cannot be used, with its path as the subject, or why resuming failed.
    public let failure: WipeFailure?
}
