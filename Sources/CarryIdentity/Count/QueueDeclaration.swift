/// A variable of one file, or one expression, with a queue that the file creates.
struct QueueDeclaration: Equatable {
    /// A plain queue, and the one that carries.
    struct Kind: Equatable {
        let plain: String
        let carrying: String
        let product: String
        /// How the call that creates one goes on.
        let arguments: String

        static let all = [
            Kind(plain: "DispatchQueue", carrying: "IdentityQueue", product: "MultiIdentity", arguments: "(label:"),
            Kind(
                plain: "OperationQueue",
                carrying: "IdentityOperationQueue",
                product: "MultiIdentityFoundation",
                arguments: "()"
            ),
        ]
    }

    let file: String
    let line: Int
    let kind: Kind
    /// The offsets of the characters where the plain type's name begins.
    private(set) var offsets: [Int]

    /// Finds the queues that a file creates.
    ///
    /// An annotation `let name: DispatchQueue` belongs to the variable that `name = DispatchQueue(label: …)` assigns elsewhere in
    /// the file.
    static func all(in text: String, file: String) -> [QueueDeclaration] {
        let characters = Array(text)
        return Kind.all.flatMap { kind -> [QueueDeclaration] in
            var (found, named) = ([QueueDeclaration](), [String: Int]())
            func add(_ offset: Int, to name: String?) {
                if let place = name.flatMap({ named[$0] }) { return found[place].offsets.append(offset) }
                if let name { named[name] = found.count }
                let line = characters[..<offset].count { $0.isNewline } + 1
                found.append(QueueDeclaration(file: file, line: line, kind: kind, offsets: [offset]))
            }
            var annotations: [(offset: Int, name: String)] = []
            for offset in places(of: Array(kind.plain), in: characters) {
                let before = String(characters[..<offset].reversed().prefix { $0 != "\n" }.reversed())
                let after = String(characters[(offset + kind.plain.count)...].prefix(kind.arguments.count))
                if before.contains("//") || before.hasSuffix(".") { continue }
                if after == kind.arguments {
                    add(offset, to: before.firstMatch(of: #/(\w+)\s*(?::\s*\w+[?!]?\s*)?=\s*$/#).map { String($0.1) })
                } else if let name = before.firstMatch(of: #/\b(?:let|var)\s+(\w+)\s*:\s*$/#) {
                    annotations.append((offset, String(name.1)))
                }
            }
            for (offset, name) in annotations where named[name] != nil { add(offset, to: name) }
            return found
        }
    }

    private static func places(of word: [Character], in text: [Character]) -> [Int] {
        func isPart(_ place: Int) -> Bool {
            text.indices.contains(place) && (text[place].isLetter || text[place].isNumber || text[place] == "_")
        }
        return text.indices.filter { place in
            text[place] == word[0] && text[place...].starts(with: word) && !isPart(place - 1)
                && !isPart(place + word.count)
        }
    }

    /// Returns the file's text with these declarations changed, and the imports that they need.
    static func changing(_ declarations: [QueueDeclaration], in text: String) -> String {
        var characters = Array(text)
        let edits = declarations.flatMap { declaration in declaration.offsets.map { ($0, declaration.kind) } }
        for (offset, kind) in edits.sorted(by: { $0.0 > $1.0 }) {
            characters.replaceSubrange(offset..<offset + kind.plain.count, with: kind.carrying)
        }
        var lines = String(characters).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for product in Set(edits.map(\.1.product)).sorted().reversed() {
            let isImported = lines.contains { $0.split(separator: " ").suffix(2) == ["import", product[...]] }
            // After the first one, outside a condition, since the queues may be outside it too.
            let first = lines.firstIndex { $0.hasPrefix("import ") || $0.contains(#/^[@\w()]+ import /#) } ?? -1
            if !isImported { lines.insert("import \(product)", at: first + 1) }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns as many candidates as possible that compile together, by halves of what does not.
    static func compiling<Candidate>(
        _ candidates: ArraySlice<Candidate>,
        beside accepted: [Candidate] = [],
        _ compiles: ([Candidate]) throws -> Bool
    ) rethrows -> [Candidate] {
        if candidates.isEmpty { return accepted }
        if try compiles(accepted + candidates) { return accepted + candidates }
        if candidates.count == 1 { return accepted }
        let middle = candidates.startIndex + candidates.count / 2
        let first = try compiling(candidates[..<middle], beside: accepted, compiles)
        return try compiling(candidates[middle...], beside: first, compiles)
    }
}
