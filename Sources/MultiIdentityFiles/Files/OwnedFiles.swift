/// What a look for files by their owner found.
public struct OwnedFiles: Hashable, Sendable {
    /// The paths of the files below the root, sorted; a file with several names has several.
    public internal(set) var paths: [String] = []

    /// What could not be looked at, and so may be missing above.
    public internal(set) var failures: [IdentityFileError] = []
}
