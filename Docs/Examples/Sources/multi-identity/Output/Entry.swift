import MultiIdentityProtection

/// One result, as `--json` writes it; fields that do not apply are omitted.
struct Entry: Encodable {
    /// The file, and the other file that the result was written to.
    var path: String?, output: String?
    /// What was done, such as `protected` or `removed`.
    var action: String?
    /// `named`, `nobody` or `none`; `unknown` if no owner was ever recorded; and the owner's name.
    var ownership: String?, owner: String?
    /// `encrypted`, `claimed` (plain, after a header that names an owner) or `unprotected`; and the key's ID.
    var form: String?, key: String?
    /// The size of the data, or of the removed data, and the numbers of files and keys.
    var bytes: UInt64?, files: UInt64?, keys: Int?
    /// The state of a wipe, or `current` and `former` for a key; a wipe's phase, and its report once it has ended.
    var state: String?, phase: String?, report: WipeReport?
    /// Whether the policy allows it, the identity, the deciding rule, and the owner of its policy.
    var allowed: Bool?, identity: String?, rule: String?, policyOwner: String?
    /// The reason, as text.
    var reason: String?
    /// The end of a file of audit events, to be stored elsewhere.
    var end: String?
    /// The section of a report, and the name of a row in it.
    var section: String?, name: String?
    /// The setting, its value (or a row's; omitted if confidential), and its source.
    var setting: String?, value: String?, source: String?
}

extension Entry {
    /// The entry as one line of text.
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
            // If a file has both, this is the identity that the data name.
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
    /// The text with control characters escaped, so that a name is one line and cannot control the terminal.
    var shown: String {
        // Most text has none, and is returned unchanged.
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        return unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
            default: String(scalar)
            }
        }.joined()
    }
}
