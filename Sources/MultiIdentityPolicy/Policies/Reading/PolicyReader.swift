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
        for member in try allMembers() {
            guard known.contains(member.key) else {
                throw PolicyTextError(
                    .unknownKey,
                    line: member.line,
                    keyPath: member.reader.keyPath,
                    "\(Shown(member.key)) means nothing here. What can stand here: \(known.joined(separator: ", "))."
                )
            }
            members[member.key] = member.reader
        }
        return members
    }

    /// The members of an object that can have any keys.
    func allMembers() throws(PolicyTextError) -> [(key: String, line: Int, reader: PolicyReader)] {
        guard case .object(let members) = value.content else { throw wrongType("an object") }
        return members.map { ($0.key, $0.line, PolicyReader(value: $0.value, keyPath: path(to: $0.key))) }
    }

    func elements() throws(PolicyTextError) -> [PolicyReader] {
        guard case .array(let elements) = value.content else { throw wrongType("an array") }
        return elements.enumerated().map { PolicyReader(value: $1, keyPath: "\(keyPath)[\($0)]") }
    }

    func bool() throws(PolicyTextError) -> Bool {
        guard case .bool(let bool) = value.content else { throw wrongType("true or false") }
        return bool
    }

    func string() throws(PolicyTextError) -> String {
        guard case .string(let string) = value.content else { throw wrongType("a string") }
        return string
    }

    /// One of some words.
    func word<Meaning>(_ meanings: KeyValuePairs<String, Meaning>) throws(PolicyTextError) -> Meaning {
        let word = try string()
        if let meaning = meanings.first(where: { $0.key == word }) { return meaning.value }
        let words = meanings.map { "\"\($0.key)\"" }.joined(separator: ", ")
        throw error(.unknownWord, "\(Shown(word)) means nothing here. What can stand here: \(words).")
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
        var identities: Set<Identity> = []
        for element in try elements() {
            let (isNew, known) = identities.insert(try element.identity())
            if !isNew { throw element.duplicate(of: known) }
        }
        return identities
    }

    func duplicate(of identity: Identity) -> PolicyTextError {
        error(
            .duplicateIdentity,
            """
            This identity is there already, as \(Shown(identity.name)): names are compared without case. Keep one of them.
            """
        )
    }

    private func path(to key: String) -> String {
        let isPlain = key.utf8.allSatisfy { Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80 } && !key.isEmpty
        if !isPlain { return "\(keyPath)[\(Shown(key))]" }
        return keyPath.isEmpty ? key : "\(keyPath).\(key)"
    }
}
