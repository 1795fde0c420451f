import Foundation

/// The hops that a package may have, by file and boundary: lines can move.
struct HopBaseline: Codable, Equatable {
    private(set) var hops: [String: [String: Int]] = [:]
    /// The targets that may be counted in part, or not at all.
    let incomplete: [String]

    init(_ hops: some Sequence<PlainHop>, incomplete: Set<String> = []) {
        self.incomplete = incomplete.sorted()
        for hop in hops { self.hops[hop.file, default: [:]][hop.boundary, default: 0] += 1 }
    }

    init(contentsOf file: URL) throws {
        self = try JSONDecoder().decode(HopBaseline.self, from: Data(contentsOf: file))
    }

    func write(to file: URL) throws {
        try (JSONEncoder.readable.encode(self) + Data("\n".utf8)).write(to: file, options: .atomic)
    }

    /// What changed at one boundary of one file.
    struct Change: Codable, Equatable {
        let file: String
        let boundary: String
        let allowed: Int
        let found: Int
    }

    /// Compares with hops that were counted now.
    ///
    /// - Parameters:
    ///   - now: The hops of today.
    ///   - isCounted: Whether a file was counted.
    /// - Returns: Each change, in the order of files and boundaries.
    func changes(to now: HopBaseline, where isCounted: (String) -> Bool = { _ in true }) -> [Change] {
        Set(hops.keys).union(now.hops.keys).filter(isCounted).sorted().flatMap { file in
            let (before, after) = (hops[file] ?? [:], now.hops[file] ?? [:])
            return Set(before.keys).union(after.keys).sorted().compactMap { boundary -> Change? in
                let (allowed, found) = (before[boundary] ?? 0, after[boundary] ?? 0)
                return allowed == found
                    ? nil : Change(file: file, boundary: boundary, allowed: allowed, found: found)
            }
        }
    }
}

extension JSONEncoder {
    /// One line for each value, in an order that does not change.
    static var readable: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
