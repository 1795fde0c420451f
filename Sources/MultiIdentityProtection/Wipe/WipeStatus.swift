public import MultiIdentity
public import MultiIdentityFiles

/// How a wipe stands that has a journal.
public struct WipeStatus: Hashable, Codable, Sendable {
    /// How a wipe stands.
    public enum State: String, Hashable, Codable, Sendable, CaseIterable {
        /// It is under way in this process.
        case running
        /// Somebody else has its journal open, as another process that runs it.
        case inUse
        /// It was interrupted, or something is left: it can be resumed.
        case unfinished
        /// Nothing is left; the report is kept.
        case complete
        /// Its journal cannot be read or may not be used, and whose it is is not known.
        case unreadable
    }

    /// How it stands.
    public let state: State
    /// Whose data; `nil` where the journal does not tell.
    public let identity: Identity?
    /// How far the last run came, as its journal has it; `nil` where it has ended.
    public let phase: WipePhase?
    /// What the last run that ended reported.
    public let report: WipeReport?
    /// Why the journal cannot be used, or why resuming failed; its subject is the journal's path.
    public let failure: WipeFailure?
}
