/// The result of a repair: what it found and mended.
public struct FileRepair: Hashable, Sendable {
    /// The number of regular files.
    public internal(set) var fileCount = 0

    /// Files that were never seen: made behind the runtime's back, or before it.
    public internal(set) var unseen: [String] = []

    /// Files with an uncertain owner, since a damaged record may have named another one than was known before it; they
    /// are nobody's to have or to wipe until their owner is set.
    public internal(set) var uncertain: [String] = []

    /// Files that were never seen at names where recorded ones are gone, as after an editor's way of saving, or when a backup
    /// was brought back; each is in ``unseen`` or ``adopted``, too.
    public internal(set) var replaced: [String] = []

    /// Of ``replaced``, those that were given the recorded owner.
    public internal(set) var adopted: [String] = []

    /// Names at which the index knows a file now, and did not before.
    public internal(set) var renamed: [String] = []

    /// Names, or former names, of files that are nowhere any more, and that the index has forgotten.
    public internal(set) var forgotten: [String] = []

    /// Files that had their owner moved from the index to their attribute.
    public internal(set) var movedToAttributes: [String] = []

    /// Leftovers of interrupted operations, which were removed.
    public internal(set) var swept: [String] = []

    /// Parts of the index's log that could not be understood when it was opened: what they said is lost.
    public internal(set) var damagedIndexParts: [Range<UInt64>] = []

    /// Failures to look at something or mend it, damaged owners among them; where there is any, nothing was forgotten.
    public internal(set) var failures: [IdentityFileError] = []
}

/// The rule of a repair for files that have the names of recorded ones, and are others.
public enum ReplacedFiles: Hashable, Sendable, CaseIterable {
    /// They are reported, and stay nobody's.
    case reported
    /// They are given the recorded owner: after a backup was brought back, where every path is to be trusted.
    case adopted
}
