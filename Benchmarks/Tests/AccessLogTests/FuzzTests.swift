import AccessLog
@_spi(Checks) import MultiIdentityTesting
import Testing

@Suite("No bytes whatever crash the reader")
struct FuzzTests {
    private static let pieces: [String] = [
        "::1", " - ", " ", "-", "ada", "[10/Oct/2000:13:55:36 -0700]", "[", "]", "\"", "\\", #"\x22"#, #"\xC3"#, "GET ",
        "/a?b", " HTTP/1.1", "200", "5", "\" 200 5", "\" \"", "http://", "\n", "\r\n", "ë", "*", "99999999999999999999",
    ]
    private static let good =
        #"::1 - zo\xC3\xAB [10/Oct/2000:13:55:36 -0700] "GET /a\x22?b HTTP/1.1" 200 5 "-" "agent""# + "\r\n"

    /// Counts as the format defines lines, and not the way the reader finds them.
    private func lineCount(_ bytes: [UInt8]) -> Int {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        if let last = lines.last, last.isEmpty || last == [0x0D] { lines.removeLast() }
        return lines.count
    }

    private func check(_ bytes: [UInt8], using generator: inout SeededGenerator) throws {
        let chunkSize = Int.random(in: 1...200, using: &generator)
        let lineLimit = Int.random(in: 1...400, using: &generator)
        let expected = lineCount(bytes)
        try TemporaryLog.withPath(of: bytes) { path in
            do {
                let lines = try TemporaryLog.lines(at: path, chunkSize: chunkSize, lineLimit: lineLimit)
                #expect(lines.count == expected)
                #expect(expected > 0)
            } catch let error as AccessLogError {
                #expect(error == .empty(path: path))
                #expect(expected == 0)
            }
        }
    }

    @Test("Random bytes give as many results as lines", arguments: [1, 20, 300, 4000] as [UInt64])
    func soup(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let count = Int.random(in: 0...600, using: &generator)
            // Line ends are rare among all bytes, so half of the logs are drawn from few.
            let alphabet =
                Bool.random(using: &generator) ? Array(UInt8.min...UInt8.max) : [0x0A, 0x0D, 0x20, 0x22, 0x5C]
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            try check(bytes, using: &generator)
        }
    }

    @Test("Pieces of lines in random order give as many results as lines", arguments: [5, 60, 700] as [UInt64])
    func shuffledPieces(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let count = Int.random(in: 0...80, using: &generator)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
            try check(Array(text.utf8), using: &generator)
        }
    }

    @Test("Good lines behind random words have no user", arguments: [7, 80, 900] as [UInt64])
    func prefixes(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let words = ["F", "-", "::1", "<34>1", "nginx[42]:", "2026-10-10", "\"x\"", "|", "a,"]
        for _ in 0..<500 {
            let count = Int.random(in: 1...6, using: &generator)
            let prefix = (0..<count).map { _ in (words.randomElement(using: &generator) ?? "") + " " }.joined()
            let lines = try TemporaryLog.lines(of: prefix + Self.good)
            #expect(lines.count == 1 && lines[0].entry == nil, "\(prefix)")
        }
    }

    @Test("Good lines with a few bytes changed give as many results as lines", arguments: [8, 90, 1000] as [UInt64])
    func mutatedLines(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            var bytes = Array(String(repeating: Self.good, count: 5).utf8)
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: index)
                }
            }
            try check(bytes, using: &generator)
        }
    }
}
