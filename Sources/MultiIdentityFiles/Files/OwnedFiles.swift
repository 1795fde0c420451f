/// The result of a search for files by their owner.
public struct OwnedFiles: Hashable, Sendable {
    /// The paths of the files below the root, sorted; a file with several names has several.
    public internal(set) var paths: [String] = []

    /// The failures to look at something, which may be missing above.
    public internal(set) var failures: [IdentityFileError] = []
}
