/// What the file depends on in the target's own sources, read without the compiler.
struct TargetSources {
    /// The modules that the target imports.
    private(set) var imports: Set<String> = []
    /// Those that a source imports with an access level below public: Swift then refuses an import without one.
    private(set) var restrictedImports: Set<String> = []
    /// The names of the functions that the target declares.
    private(set) var declared: Set<String> = []
    /// The names of the functions and properties that the target overrides in its own classes.
    private(set) var overridden: Set<String> = []
    /// The words of sources with code that other modules compile, which can use internal declarations only if they are marked.
    private var inlinableWords: Set<String> = []

    init(_ texts: [String]) {
        for text in texts { read(text) }
    }

    func isUsedInInlinableCode(_ name: String) -> Bool { inlinableWords.contains(name) }

    private mutating func read(_ text: String) {
        let words = Self.words(of: text)
        var (isInlinable, isPublic) = (false, false)
        for (place, word) in words.enumerated() where place + 1 < words.count {
            switch word {
            case "import": readImport(words[..<place].suffix(3), words[(place + 1)...].prefix(2))
            case "func", "var":
                if word == "func" { declared.insert(words[place + 1]) }
                if words[..<place].suffix(4).contains("override") { overridden.insert(words[place + 1]) }
            case "@inlinable", "@_alwaysEmitIntoClient", "@_transparent", "@frozen": isInlinable = true
            case "public", "open", "package": isPublic = true
            case "{", "}":
                // Callers evaluate the default argument of a public function.
                if isPublic, word == "{", words[..<place].last == "=" { isInlinable = true }
                isPublic = false
            default: break
            }
        }
        if isInlinable { inlinableWords.formUnion(words) }
    }

    /// The names, keywords, braces and signs of equality outside comments.
    ///
    /// It reads bytes: a build for debugging does not optimize its tools, and runs this one at each change of a target.
    private static func words(of text: String) -> [String] {
        var (text, words, start, place) = (text + "\n", [String](), 0, 0)
        let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
        text.withUTF8 { code in
            while place < code.count {
                let byte = code[place]
                place += 1
                let isLetter = (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte > 0x7F || byte == UInt8(ascii: "_")
                if isLetter || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "@") { continue }
                if start < place - 1 { words.append(String(decoding: code[start..<place - 1], as: UTF8.self)) }
                if byte == 0x7B || byte == 0x7D || byte == 0x3D { words.append(String(Unicode.Scalar(byte))) }  // { } =
                if byte == slash, code[place] == slash {
                    while code[place] != UInt8(ascii: "\n") { place += 1 }
                } else if byte == slash, code[place] == star {
                    var end = place + 2
                    while end < code.count, code[end] != slash || code[end - 1] != star { end += 1 }
                    if end < code.count { place = end + 1 }
                }
                start = place
            }
        }
        return words
    }

    /// `import class Foundation.Thread` names a kind first.
    private mutating func readImport(_ before: ArraySlice<String>, _ after: ArraySlice<String>) {
        let kinds: Set<String> = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
        guard let module = after.first(where: { !kinds.contains($0) }) else { return }
        imports.insert(module)
        let restrictions: Set<String> = ["package", "internal", "fileprivate", "private"]
        if before.last.map(restrictions.contains) ?? false { restrictedImports.insert(module) }
    }
}
