extension IdentityWipe {
    /// A handler's answer about an account's files.
    public enum HandledFiles: String, Hashable, Codable, Sendable {
        /// The handler removed all files; the storages verify it.
        case removed
        /// The handler left the files to the storages, which remove each file that the account owns.
        case notRemoved = "leftToStorages"  // as journals keep it
    }
}
