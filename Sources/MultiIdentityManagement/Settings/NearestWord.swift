/// The known word that a mistyped one was meant to be.
///
/// By `@_spi`, for this repository's command; adopters have no use for it.
@_spi(Command) public enum NearestWord: Sendable {
    /// Finds the word that is nearest.
    ///
    /// - Parameters:
    ///   - word: The mistyped word, in any case of letters.
    ///   - words: The known ones.
    /// - Returns: The nearest one; `nil` where none is near.
    public static func nearest(to word: String, among words: [String]) -> String? {
        let longest = words.map(\.count).max() ?? 0
        guard word.count <= 2 * longest else { return nil }
        let near = words.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        // One letter in three may be wrong, or any word would be near to a short one.
        guard let near, near.distance <= max(1, word.count / 3), near.distance < word.count else { return nil }
        return near.word
    }

    /// The number of letters to be added, taken away, replaced, or exchanged with their neighbour (the optimal string
    /// alignment).
    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first.lowercased()), Array(second.lowercased()))
        var rows = [Array(0...second.count)]
        for (row, letter) in first.enumerated() {
            var next = [row + 1]
            for (column, other) in second.enumerated() {
                var best = min(rows[row][column + 1], next[column]) + 1
                best = min(best, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[first.count][second.count]
    }
}
