import MultiIdentityProtection

/// One thing that was asked about or done, as `--json` writes it; what does not apply is left out.
struct Entry: Encodable {
    /// The file, and the other file that the result was written to.
    var path: String?, output: String?
    /// What was done, such as `protected` or `removed`.
    var action: String?
    /// `named`, `nobody` or `none`; `unknown` where no owner was ever recorded; and the owner's name.
    var ownership: String?, owner: String?
    /// `encrypted`, `claimed` (plain, behind a header that names an owner) or `unprotected`; and the key's id.
    var form: String?, key: String?
    /// The size of the data, or of what was removed, and the numbers of files and keys.
    var bytes: UInt64?, files: UInt64?, keys: Int?
    /// The state of a wipe, or `current` and `former` of a key; the phase of a wipe, and its report once it ended.
    var state: String?, phase: String?, report: WipeReport?
    /// Whether the policy allows it, the identity that it is about, the rule that decided, and whose policy has it.
    var allowed: Bool?, identity: String?, rule: String?, policyOwner: String?
    /// The reason, for people.
    var reason: String?
    /// The end of a file of audit events, to be kept elsewhere.
    var end: String?
    /// The part of a report, and the name of a row in it.
    var section: String?, name: String?
    /// The setting, its value (or a row's; left out where no one is to read it), and where that comes from.
    var setting: String?, value: String?, source: String?
}

extension Entry {
    /// The entry in one line, for people.
    var line: String {
        if let allowed {
            let place = policyOwner.map { " in the policy of \($0)" } ?? ""
            return "\(allowed ? "allowed" : "refused"): \(reason ?? "") (rule \(rule ?? "none")\(place))".shown
        }
        if setting != nil, path == nil { return (reason ?? "").shown }
        if let section { return (name.map { "  \($0): \(value ?? "")" } ?? "\(section):").shown }
        var words: [String] = []
        if let action { words.append(action) }
        if let ownership { words.append(owner ?? (ownership == "unknown" ? "no owner is known" : "(\(ownership))")) }
        if let form {
            // Of a file that has both, the identity is the one that the data name.
            words.append(
                path == nil || identity == nil ? form : "\(form) \(form == "claimed" ? "by" : "for") \(identity ?? "")"
            )
        }
        if let key { words.append("key \(key)") }
        if let state { words.append(state) }
        if let phase { words.append("at \(phase)") }
        if let files { words.append("\(files) \(files == 1 ? "file" : "files")") }
        if let bytes { words.append("\(bytes) \(bytes == 1 ? "byte" : "bytes")") }
        if let keys { words.append("\(keys) \(keys == 1 ? "key" : "keys")") }
        if let output { words.append("to \(output)") }
        if let reason { words.append(reason) }
        return [path ?? identity, words.joined(separator: ", ")].compactMap(\.self).joined(separator: ": ").shown
    }
}

extension String {
    /// The text with control characters written out, so that one name is one line, and none commands the terminal.
    var shown: String {
        // Most text has none, and is as it is.
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        return unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
            default: String(scalar)
            }
        }.joined()
    }
}
