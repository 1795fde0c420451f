extension Report {
    /// One thing that was asked about or done; what does not apply is left out.
    struct Entry: Codable {
        /// The file.
        var path: String?
        /// Where the result was written, if that is another file.
        var output: String?
        /// `named`, `nobody`, or `none` where no owner is known.
        var ownership: String?
        /// The owner's name, where it has one.
        var owner: String?
        /// `encrypted`, `readable`, or `unprotected`.
        var form: String?
        /// How large the file is, or what was removed, in bytes.
        var bytes: UInt64?
        /// How many files were found or removed.
        var files: UInt64?
        /// What was done, as `protected` or `removed`.
        var action: String?
        /// Whether the policy allows it.
        var allowed: Bool?
        /// Whom the question was about.
        var identity: String?
        /// The rule that decided.
        var rule: String?
        /// Whose policy has that rule.
        var policyOwner: String?
        /// Why.
        var reason: String?
    }
}
