/// A reason why a storage is gone through.
enum WipeVisited: Sendable {
    /// To remove what is there.
    case removedFiles
    /// To tell what would be removed.
    case foundFiles
    /// To see whether the handler removed all, as it said.
    case forgottenFiles
}
