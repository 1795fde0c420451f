import MultiIdentityProtection

/// One thing that was asked about or done, as `--json` writes it; what does not apply is left out.
struct Entry: Encodable {
    /// The file.
    var path: String?
    /// The path that the result was written to, if that is another file.
    var output: String?
    /// The action, as `protected` or `removed`.
    var action: String?
    /// `named`, `nobody` or `none`; `unknown` where no owner was ever recorded.
    var ownership: String?
    /// The owner's name, where it has one.
    var owner: String?
    /// `encrypted`, `claimed` (plain, behind a header that names an owner) or `unprotected`.
    var form: String?
    /// The id of the key that data are encrypted with.
    var key: String?
    /// The size of the data, or of what was removed, in bytes.
    var bytes: UInt64?
    /// The number of files that were found or removed.
    var files: UInt64?
    /// The number of keys that there are or were.
    var keys: Int?
    /// The state of a wipe: `complete`, `unfinished`, `inUse`, `running` or `unreadable`.
    var state: String?
    /// The phase that a wipe came to.
    var phase: String?
    /// The report of a wipe that ended.
    var report: WipeReport?
    /// True if the policy allows it.
    var allowed: Bool?
    /// The identity that it is about.
    var identity: String?
    /// The rule that decided.
    var rule: String?
    /// The identity of the policy that has that rule.
    var policyOwner: String?
    /// The reason, for people.
    var reason: String?
    /// The end of a file of audit events, to be kept elsewhere.
    var end: String?
    /// The part of a report.
    var section: String?
    /// The name of a row of a report.
    var name: String?
    /// The name of a setting.
    var setting: String?
    /// The value of a setting, as a file has it, or of a row; left out where there is none or nobody is to read it.
    var value: String?
    /// The place that the value comes from: `code`, `environment`, `file` or `standard`.
    var source: String?
}
