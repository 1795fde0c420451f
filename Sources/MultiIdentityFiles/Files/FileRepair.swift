/// The result of a repair: the files that need your attention, and the failures.
public struct FileRepair: Hashable, Sendable {
    /// Files without a record, made before this API was used or without it.
    public internal(set) var unseen: [String] = []

    /// Files with an uncertain owner, because a damaged record may have named another one.
    ///
    /// They belong to no one, and no wipe removes them, until you set their owner.
    public internal(set) var uncertain: [String] = []

    /// Files without a record that have replaced recorded ones, such as when an editor saves or a backup is restored.
    ///
    /// Each is in ``unseen`` too, unless it was given the recorded owner.
    public internal(set) var replaced: [String] = []

    /// Failures to check or repair, including damaged owners and damaged parts of the index.
    public internal(set) var failures: [IdentityFileError] = []

    /// The number of regular files.
    var fileCount = 0
    /// The files of ``replaced`` that were given the recorded owner.
    var adopted: [String] = []
    /// Names under which the index now knows a file, and did not before.
    var renamed: [String] = []
    /// Names of files that no longer exist, and that the index has dropped.
    var forgotten: [String] = []
    /// Files whose owner was moved from the index to their attribute.
    var movedToAttributes: [String] = []
    /// Leftovers of interrupted operations, which were removed.
    var swept: [String] = []
}
