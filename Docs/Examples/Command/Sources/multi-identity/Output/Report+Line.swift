extension Report.Entry {
    /// The entry in one line, for people.
    var line: String {
        if let allowed {
            let place = policyOwner.map { " in the policy of \($0)" } ?? ""
            return "\(allowed ? "allowed" : "refused"): \(reason ?? "") (rule \(rule ?? "none")\(place))"
        }
        let subject = (path ?? identity)?.shown
        var words: [String] = []
        if let action { words.append(action) }
        if let ownership { words.append(owner ?? (ownership == "nobody" ? "(nobody)" : "(no owner is known)")) }
        if let form { words.append(form) }
        if let files { words.append("\(files) \(files == 1 ? "file" : "files")") }
        if let bytes { words.append("\(bytes) \(bytes == 1 ? "byte" : "bytes")") }
        if let output { words.append("to \(output.shown)") }
        if let reason { words.append(reason) }
        return [subject, words.joined(separator: ", ")].compactMap(\.self).joined(separator: ": ")
    }
}

extension String {
    /// The text with control characters written out, so that one name is one line, and none commands the terminal.
    var shown: String {
        unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
            default: String(scalar)
            }
        }.joined()
    }
}
