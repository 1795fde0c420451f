extension IdentityWipe {
    /// A handler's answer about an account's files.
    public enum HandledFiles: String, Hashable, Codable, Sendable {
        /// It removed them all; the storages look whether that is so.
        case removed
        /// It did not: the storages remove each file that the account owns.
        case notRemoved = "leftToStorages"  // as journals keep it
    }
}
