/// What the file depends on in the target's own sources, read by lines; comments count too, which does no harm.
struct TargetSources {
    /// The modules that the target imports.
    private(set) var imports: Set<String> = []
    /// Those that a source imports with an access level below public: Swift then refuses an import without one.
    private(set) var restrictedImports: Set<String> = []
    /// Those that a source imports as public.
    private(set) var publicImports: Set<String> = []
    /// True if the target has code that other modules compile, which can use internal declarations only if they are marked.
    let hasInlinableCode: Bool
    /// The names of the functions and properties that the target overrides in its own classes.
    private(set) var overridden: Set<String> = []

    init(_ texts: [String]) {
        hasInlinableCode = texts.contains { $0.contains("@inlinable") || $0.contains("@_alwaysEmitIntoClient") }
        for line in texts.joined(separator: "\n").split(whereSeparator: \.isNewline) {
            let words = line.split { " \t;(:<".contains($0) }
            readImport(words)
            readOverride(words)
        }
    }

    private mutating func readImport(_ words: [Substring]) {
        guard let place = words.firstIndex(of: "import"), place + 1 < words.count else { return }
        // `import class Foundation.Thread` names a kind first.
        let kinds: Set<Substring> = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
        let isKind = kinds.contains(words[place + 1]) && place + 2 < words.count
        let module = String(words[place + (isKind ? 2 : 1)].prefix { $0 != "." })
        imports.insert(module)
        if words[..<place].contains("public") { publicImports.insert(module) }
        let restrictions: Set<Substring> = ["package", "internal", "fileprivate", "private"]
        if !restrictions.isDisjoint(with: words[..<place]) { restrictedImports.insert(module) }
    }

    private mutating func readOverride(_ words: [Substring]) {
        guard words.contains("override"), let keyword = words.firstIndex(where: { $0 == "func" || $0 == "var" }),
            keyword + 1 < words.count
        else { return }
        overridden.insert(String(words[keyword + 1]))
    }
}
