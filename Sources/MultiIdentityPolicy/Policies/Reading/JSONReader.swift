import MultiIdentity

/// One value of a text of policies, and the keys that lead to it: each reading of it that fails says where.
struct PolicyReader {
    let value: JSONValue
    let keyPath: String

    func error(_ code: PolicyTextError.Code, _ message: String) -> PolicyTextError {
        PolicyTextError(code, line: value.line, keyPath: keyPath, message)
    }

    func wrongType(_ wanted: String) -> PolicyTextError {
        error(.wrongType, "Here \(wanted) should stand, and there is \(value.typeInWords). Write \(wanted).")
    }

    /// The members of an object, each key one of those that can stand there.
    func members(_ known: String...) throws(PolicyTextError) -> [String: PolicyReader] {
        var members: [String: PolicyReader] = [:]
        try allMembers { (key, line, reader) throws(PolicyTextError) in
            guard known.contains(key) else {
                throw PolicyTextError(
                    .unknownKey,
                    line: line,
                    keyPath: reader.keyPath,
                    "\(EscapedText(key).quoted) means nothing here. What can stand here: \(known.joined(separator: ", "))."
                )
            }
            members[key] = reader
        }
        return members
    }

    /// Goes through the members of an object that can have any keys, one at a time, however many there are.
    func allMembers(
        _ visit: (_ key: String, _ line: Int, _ reader: PolicyReader) throws(PolicyTextError) -> Void
    ) throws(PolicyTextError) {
        guard value.kind == .object else { throw wrongType("an object") }
        try value.members { (key, line, value) throws(PolicyTextError) in
            try visit(key, line, PolicyReader(value: value, keyPath: path(to: key)))
        }
    }

    func bool() throws(PolicyTextError) -> Bool {
        guard value.kind == .bool else { throw wrongType("true or false") }
        return value.isTrue
    }

    func string() throws(PolicyTextError) -> String {
        guard value.kind == .string else { throw wrongType("a string") }
        return try value.string()
    }

    /// One of some words.
    func word<Meaning>(_ meanings: KeyValuePairs<String, Meaning>) throws(PolicyTextError) -> Meaning {
        let word = try string()
        if let meaning = meanings.first(where: { $0.key == word }) { return meaning.value }
        let words = meanings.map { "\"\($0.key)\"" }.joined(separator: ", ")
        throw error(.unknownWord, "\(EscapedText(word).quoted) means nothing here. What can stand here: \(words).")
    }

    /// The identity of a name that stands here.
    func identity() throws(PolicyTextError) -> Identity {
        try identity(named: string(), line: value.line)
    }

    func identity(named name: String, line: Int) throws(PolicyTextError) -> Identity {
        do {
            return try Identity(name)
        } catch {
            throw PolicyTextError(.invalidIdentity, line: line, keyPath: keyPath, error.message)
        }
    }

    /// The identities of a list, each there once.
    func identities() throws(PolicyTextError) -> Set<Identity> {
        guard value.kind == .array else { throw wrongType("an array") }
        var identities: Set<Identity> = []
        var number = 0
        try value.elements { (value) throws(PolicyTextError) in
            let element = PolicyReader(value: value, keyPath: "\(keyPath)[\(number)]")
            let (isNew, known) = identities.insert(try element.identity())
            if !isNew { throw element.duplicate(of: known) }
            number += 1
        }
        return identities
    }

    func duplicate(of identity: Identity) -> PolicyTextError {
        error(
            .duplicateIdentity,
            """
            This identity is there already, as \(EscapedText(identity.name).quoted): names are compared without case. Keep one of them.
            """
        )
    }

    private func path(to key: String) -> String {
        let isPlain = key.utf8.allSatisfy { Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80 } && !key.isEmpty
        if !isPlain { return "\(keyPath)[\(EscapedText(key).quoted)]" }
        return keyPath.isEmpty ? key : "\(keyPath).\(key)"
    }
}
