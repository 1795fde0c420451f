/// Searches a text for several patterns in one pass (the Aho–Corasick automaton).
struct ScrubbedPatterns: Sendable {
    /// The longest prefix of a pattern that the bytes read so far end with.
    private struct Node {
        var depth: Int
        /// The next longest one.
        var fallback = 0
        /// The length of the longest whole pattern that they end with; 0 for none.
        var longest = 0
    }

    private static let cut = Array("…".utf8)

    private var nodes = [Node(depth: 0)]
    /// The next node for each node and byte.
    private var steps: [Int: Int] = [:]
    /// The first bytes of all patterns: most bytes of a text are not among them, and need no lookup.
    private var first = [Bool](repeating: false, count: 256)
    let count: Int

    init(_ texts: [[UInt8]]) {
        let texts = Set(texts)
        count = texts.count
        for text in texts where !text.isEmpty { insert(text) }
        // By depth, because a fallback is less deep than its node.
        for (key, node) in steps.sorted(by: { nodes[$0.value].depth < nodes[$1.value].depth }) {
            let (parent, byte) = (key >> 8, UInt8(truncatingIfNeeded: key))
            if parent != 0 { nodes[node].fallback = next(after: nodes[parent].fallback, byte) }
            if nodes[node].longest == 0 { nodes[node].longest = nodes[nodes[node].fallback].longest }
        }
    }

    var isEmpty: Bool { count == 0 }

    /// Returns the ranges of a text that patterns cover, in order; overlapping ranges are merged.
    ///
    /// At least four bytes of a pattern's beginning count if a "…" follows, because a message cut the value off there.
    ///
    /// - Complexity: O(*n*), whatever the patterns.
    func stretches(in bytes: [UInt8]) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        var node = 0
        for (place, byte) in bytes.enumerated() {
            let begun = nodes[node].depth
            if begun >= Scrubber.minimumLength, bytes[place...].starts(with: Self.cut) {
                Self.add(place - begun..<place, to: &stretches)
            }
            node = next(after: node, byte)
            let whole = nodes[node].longest
            if whole > 0 { Self.add(place + 1 - whole..<place + 1, to: &stretches) }
        }
        return stretches
    }

    /// Adds a range that ends after all others.
    private static func add(_ stretch: Range<Int>, to stretches: inout [Range<Int>]) {
        var start = stretch.lowerBound
        while let last = stretches.last, last.upperBound >= start {
            start = min(start, last.lowerBound)
            stretches.removeLast()
        }
        stretches.append(start..<stretch.upperBound)
    }

    private mutating func insert(_ text: [UInt8]) {
        first[Int(text[0])] = true
        var node = 0
        for byte in text {
            let key = node << 8 | Int(byte)
            if let next = steps[key] {
                node = next
            } else {
                nodes.append(Node(depth: nodes[node].depth + 1))
                node = nodes.count - 1
                steps[key] = node
            }
        }
        nodes[node].longest = text.count
    }

    /// The node after one more byte: one or two lookups, amortized.
    private func next(after node: Int, _ byte: UInt8) -> Int {
        var node = node
        while node != 0 || first[Int(byte)] {
            if let next = steps[node << 8 | Int(byte)] { return next }
            node = nodes[node].fallback
        }
        return 0
    }
}
