import CarriedHopsGenerator

/// A call that hands work over and carries no identity by itself.
struct PlainHop: Hashable, Codable {
    /// The path below the package's folder.
    let file: String
    let line: Int
    let column: Int
    let target: String
    /// What is called, such as `DispatchQueue.async`.
    let boundary: String
    /// What to write instead.
    let instead: String

    /// Reads the compiler's diagnostics.
    ///
    /// - Parameters:
    ///   - log: What the build printed. It can repeat a diagnostic.
    ///   - folder: The folder that was built, with a slash at its end.
    ///   - targets: The target of each file, by its path below that folder.
    /// - Returns: The hops in the order of files and lines.
    static func read(_ log: String, in folder: String, targets: [String: String]) -> [PlainHop] {
        let diagnostic =
            #/(?<file>.+?):(?<line>\d+):(?<column>\d+): (?:warning|error): .*`(?<boundary>[^`]+)` carries no identity by itself: write (?<instead>.+?)\.(?: \[#\w+\])?/#
        let hops = log.split(separator: "\n").compactMap { line -> PlainHop? in
            guard line.hasPrefix(folder), let found = line.wholeMatch(of: diagnostic) else { return nil }
            let file = String(found.file.dropFirst(folder.count))
            guard let target = targets[file], let number = Int(found.line), let column = Int(found.column) else {
                return nil
            }
            let (boundary, instead) = (String(found.boundary), String(found.instead))
            return PlainHop(
                file: file,
                line: number,
                column: column,
                target: target,
                boundary: boundary,
                instead: instead
            )
        }
        return Set(hops).sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
    }

    /// Leaves out the hops of a file that need no identity, as a comment on their line says (`// plain: flushes a cache`), and
    /// counts them; and kept closures that their line wraps, which carry.
    static func listed(_ hops: [PlainHop], in text: String) -> (hops: [PlainHop], excused: Int) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        func line(of hop: PlainHop) -> Substring { lines.indices.contains(hop.line - 1) ? lines[hop.line - 1] : "" }
        let plain = hops.filter { $0.boundary != KeptClosures.boundary || !line(of: $0).contains(".wrap") }
        let listed = plain.filter { !line(of: $0).contains(#/\/\/ plain: \S/#) }
        return (listed, plain.count - listed.count)
    }
}

extension Sequence<PlainHop> {
    /// The number of hops by what a property says, the largest first.
    func counts(by property: (PlainHop) -> String) -> [(name: String, hops: Int)] {
        Dictionary(grouping: self, by: property).map { ($0.key, $0.value.count) }
            .sorted { ($1.hops, $0.name) < ($0.hops, $1.name) }
    }
}
