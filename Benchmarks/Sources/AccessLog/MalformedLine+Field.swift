extension MalformedLine {
    /// A field with escapes that are decoded.
    public enum Field: String, Hashable, Sendable {
        /// The authenticated user.
        case user

        /// The request in quotes.
        case request
    }
}
