import MultiIdentity

/// A value of a JSON text and the keys that lead to it, so that each error has its place.
package struct JSONReader {
    package let value: JSONValue
    let keyPath: String

    /// Creates a reader of a whole text, which is checked first.
    package init(_ json: some Collection<UInt8>) throws(PolicyTextError) {
        self.init(value: try JSONParser.check(Array(json)), keyPath: "")
    }

    init(value: JSONValue, keyPath: String) {
        self.value = value
        self.keyPath = keyPath
    }

    package func error(_ code: PolicyTextError.Code, _ message: String) -> PolicyTextError {
        PolicyTextError(code, line: value.line, keyPath: keyPath, message)
    }

    package func wrongType(_ wanted: String) -> PolicyTextError {
        error(.wrongType, "Expected \(wanted), but there is \(value.typeInWords). Write \(wanted).")
    }

    /// The members of an object; each key must be one of the known ones.
    package func members(_ known: String...) throws(PolicyTextError) -> [String: JSONReader] {
        var members: [String: JSONReader] = [:]
        try allMembers { (key, line, reader) throws(PolicyTextError) in
            guard known.contains(key) else {
                throw PolicyTextError(
                    .unknownKey,
                    line: line,
                    keyPath: reader.keyPath,
                    Self.unknown(key, "key", among: known)
                )
            }
            members[key] = reader
        }
        return members
    }

    /// Visits the members of an object with any keys, one at a time, however many there are.
    package func allMembers(
        _ visit: (_ key: String, _ line: Int, _ reader: JSONReader) throws(PolicyTextError) -> Void
    ) throws(PolicyTextError) {
        guard value.kind == .object else { throw wrongType("an object") }
        try value.members { (key, line, value) throws(PolicyTextError) in
            try visit(key, line, JSONReader(value: value, keyPath: path(to: key)))
        }
    }

    /// Visits the elements of an array, one at a time.
    package func elements(_ visit: (JSONReader) throws(PolicyTextError) -> Void) throws(PolicyTextError) {
        guard value.kind == .array else { throw wrongType("an array") }
        var number = 0
        try value.elements { (value) throws(PolicyTextError) in
            try visit(JSONReader(value: value, keyPath: "\(keyPath)[\(number)]"))
            number += 1
        }
    }

    package func bool() throws(PolicyTextError) -> Bool {
        guard value.kind == .bool else { throw wrongType("true or false") }
        return value.isTrue
    }

    package func string() throws(PolicyTextError) -> String {
        guard value.kind == .string else { throw wrongType("a string") }
        return try value.string()
    }

    /// One of some words.
    package func word<Meaning>(_ meanings: KeyValuePairs<String, Meaning>) throws(PolicyTextError) -> Meaning {
        let word = try string()
        if let meaning = meanings.first(where: { $0.key == word }) { return meaning.value }
        throw error(.unknownWord, Self.unknown(word, "value", among: meanings.map(\.key)))
    }

    private static func unknown(_ word: String, _ kind: String, among known: [String]) -> String {
        let near = NearestWord.nearest(to: word, among: known).map { " Did you mean \($0)?" } ?? ""
        let all = known.joined(separator: ", ")
        return "\(EscapedText(word).quoted) is not a known \(kind) here.\(near) Known \(kind)s: \(all)."
    }

    /// The identity named here.
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

    /// The identities of a list without duplicates.
    func identities() throws(PolicyTextError) -> Set<Identity> {
        var identities: Set<Identity> = []
        try elements { (element) throws(PolicyTextError) in
            let (isNew, known) = identities.insert(try element.identity())
            if !isNew { throw element.duplicate(of: known) }
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
