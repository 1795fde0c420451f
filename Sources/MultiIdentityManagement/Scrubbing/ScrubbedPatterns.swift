/// Texts that are looked for in another one.
struct ScrubbedPatterns: Sendable {
    private static let cut = Array("…".utf8)

    /// The texts by their first byte.
    private let patterns: [[[UInt8]]]
    let count: Int

    init(_ texts: [[UInt8]]) {
        let texts = Set(texts)
        var patterns = [[[UInt8]]](repeating: [], count: 256)
        for text in texts where !text.isEmpty { patterns[Int(text[0])].append(text) }
        self.patterns = patterns
        count = texts.count
    }

    var isEmpty: Bool { count == 0 }

    /// The stretches of a text that its patterns cover, in order and apart from each other; two that overlap are one.
    func stretches(in bytes: [UInt8]) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        for start in bytes.indices {
            let ends = patterns[Int(bytes[start])].compactMap { end(of: $0, in: bytes, from: start) }
            guard let end = ends.max() else { continue }
            if let last = stretches.last, last.upperBound >= start {
                stretches[stretches.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                stretches.append(start..<end)
            }
        }
        return stretches
    }

    /// The end of a pattern that stands here, whole or cut off behind at least four bytes.
    private func end(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var count = 0
        while count < pattern.count, start + count < bytes.count, bytes[start + count] == pattern[count] { count += 1 }
        if count == pattern.count { return start + count }
        guard count >= Scrubber.minimumLength else { return nil }
        // Not behind all that is the same alone: the pattern can have a "…" of its own.
        let cut = (Scrubber.minimumLength...count).last { bytes[(start + $0)...].starts(with: Self.cut) }
        return cut.map { start + $0 }
    }
}
