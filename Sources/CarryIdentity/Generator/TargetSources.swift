import Foundation

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
    private var inlinableWords: Set<Substring> = []

    init(_ texts: [String]) {
        for text in texts { read(text) }
    }

    func isUsedInInlinableCode(_ name: String) -> Bool { inlinableWords.contains(name[...]) }

    private mutating func read(_ text: String) {
        let code = text.replacing(#/\/\*.*?\*\//#.dotMatchesNewlines(), with: " ").replacing(#/\/\/.*/#, with: " ")
        let words = code.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "@" && $0 != "." }
        for (place, word) in words.enumerated() where place + 1 < words.count {
            switch word {
            case "import": readImport(words[..<place].suffix(3), words[(place + 1)...].prefix(2))
            case "func", "var":
                let name = String(words[place + 1])
                if word == "func" { declared.insert(name) }
                if words[..<place].suffix(4).contains("override") { overridden.insert(name) }
            default: break
            }
        }
        let marks: Set<Substring> = ["@inlinable", "@_alwaysEmitIntoClient", "@_transparent", "@frozen"]
        // Callers evaluate the default argument of a public function.
        let hasDefaultArgument = code.contains(#/\b(public|open|package)\b[^{}]*=\s*\{/#)
        if hasDefaultArgument || !marks.isDisjoint(with: words) {
            inlinableWords.formUnion(words.flatMap { $0.split(separator: ".") })
        }
    }

    /// `import class Foundation.Thread` names a kind first.
    private mutating func readImport(_ before: ArraySlice<Substring>, _ after: ArraySlice<Substring>) {
        let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
        guard let name = after.first(where: { !kinds.contains($0) }) else { return }
        let module = String(name.prefix { $0 != "." })
        imports.insert(module)
        let restrictions: Set<Substring> = ["package", "internal", "fileprivate", "private"]
        if before.last.map(restrictions.contains) ?? false { restrictedImports.insert(module) }
    }
}
