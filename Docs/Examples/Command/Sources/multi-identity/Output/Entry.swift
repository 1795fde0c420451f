import MultiIdentityProtection

/// One thing that was asked about or done, as `--json` writes it; what does not apply is left out.
struct Entry: Encodable {
    /// The file.
    var path: String?
    /// Where the result was written, if that is another file.
    var output: String?
    /// What was done, as `protected` or `removed`.
    var action: String?
    /// `named`, `nobody` or `none`; `unknown` where no owner was ever recorded.
    var ownership: String?
    /// The owner's name, where it has one.
    var owner: String?
    /// `encrypted`, `claimed` (plain, behind a header that names an owner) or `unprotected`.
    var form: String?
    /// The id of the key that data are encrypted with.
    var key: String?
    /// How large the data are, or what was removed, in bytes.
    var bytes: UInt64?
    /// How many files were found or removed.
    var files: UInt64?
    /// How many keys there are or were.
    var keys: Int?
    /// How a wipe stands: `complete`, `unfinished`, `inUse`, `running` or `unreadable`.
    var state: String?
    /// How far a wipe came.
    var phase: String?
    /// What a wipe that ended reported.
    var report: WipeReport?
    /// Whether the policy allows it.
    var allowed: Bool?
    /// Whom it is about.
    var identity: String?
    /// The rule that decided.
    var rule: String?
    /// Whose policy has that rule.
    var policyOwner: String?
    /// Why, for people.
    var reason: String?
}
