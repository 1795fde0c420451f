/// The known word that a mistyped one was meant to be.
enum NearestWord {
    /// The nearest word; `nil` where none is near.
    static func nearest(to word: String, among words: [String]) -> String? {
        let longest = words.map(\.count).max() ?? 0
        guard word.count <= 2 * longest else { return nil }
        let near = words.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        // One letter in three may be wrong, or any word would be near to a short one.
        guard let near, near.distance <= max(1, word.count / 3), near.distance < word.count else { return nil }
        return near.word
    }

    /// The number of letters that are added, taken away or replaced between two words, in any case of letters.
    private static func distance(_ first: String, _ second: String) -> Int {
        let second = Array(second.lowercased())
        var row = Array(0...second.count)
        for (number, letter) in first.lowercased().enumerated() {
            var next = [number + 1]
            for (column, other) in second.enumerated() {
                next.append(min(row[column + 1] + 1, next[column] + 1, row[column] + (letter == other ? 0 : 1)))
            }
            row = next
        }
        return row[second.count]
    }
}
