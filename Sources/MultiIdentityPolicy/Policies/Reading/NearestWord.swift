/// Finds the known word that is nearest to a mistyped one.
package enum NearestWord {
    /// Returns the nearest word, ignoring case; `nil` if none is near.
    package static func nearest(to word: String, among words: [String]) -> String? {
        let letters = Array(word.lowercased())
        guard letters.count <= 2 * (words.map(\.count).max() ?? 0) else { return nil }
        // The number of insertions and deletions; a substitution counts as both.
        let near = words.map { (word: $0, distance: Array($0.lowercased()).difference(from: letters).count) }
            .min { $0.distance < $1.distance }
        // One letter in five may be wrong, or any word would be near to a short one.
        guard let near, near.distance <= max(2, letters.count * 2 / 5), near.distance < letters.count else {
            return nil
        }
        return near.word
    }
}
