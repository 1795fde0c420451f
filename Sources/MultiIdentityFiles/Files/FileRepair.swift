/// The result of a repair: what needs your attention, and what could not be checked.
public struct FileRepair: Hashable, Sendable {
    /// Files without a record, made before this API was used or without it.
    public internal(set) var unseen: [String] = []

    /// Files with an uncertain owner, since a damaged record may have named another one.
    ///
    /// They belong to no one, and no wipe removes them, until you set their owner.
    public internal(set) var uncertain: [String] = []

    /// Files without a record that have replaced recorded ones, as after some editors save or a backup is restored.
    ///
    /// Each is in ``unseen`` too, unless it was given the recorded owner.
    public internal(set) var replaced: [String] = []

    /// Failures to check or repair something, including damaged owners and damaged parts of the index.
    public internal(set) var failures: [IdentityFileError] = []

    /// The number of regular files.
    var fileCount = 0
    /// Of ``replaced``, those that were given the recorded owner.
    var adopted: [String] = []
    /// Names at which the index knows a file now, and did not before.
    var renamed: [String] = []
    /// Names, or former names, of files that are nowhere any more, and that the index has forgotten.
    var forgotten: [String] = []
    /// Files that had their owner moved from the index to their attribute.
    var movedToAttributes: [String] = []
    /// Leftovers of interrupted operations, which were removed.
    var swept: [String] = []
}
