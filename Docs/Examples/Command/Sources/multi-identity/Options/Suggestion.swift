import ArgumentParser

/// The subcommand that a mistyped one was meant to be.
enum Suggestion {
    /// Finds what was mistyped, and the name that is nearest to it.
    ///
    /// - Parameter arguments: As they were given, without the program.
    /// - Returns: A line for people; `nil` where subcommands are in order or nothing is near.
    static func line(for arguments: some Sequence<String>) -> String? {
        var command: any ParsableCommand.Type = Program.self
        for argument in arguments {
            // Behind an option, a word can be its value.
            if argument.hasPrefix("-") { return nil }
            let subcommands = command.configuration.subcommands
            if let next = subcommands.first(where: { $0.configuration.commandName == argument }) {
                command = next
                continue
            }
            // Without a subcommand, the word is another argument.
            if subcommands.isEmpty || command.configuration.defaultSubcommand != nil { return nil }
            let names = subcommands.compactMap { $0.configuration.commandName }
            return nearest(to: argument, among: names).map { "Did you mean '\($0)'?" }
        }
        return nil
    }

    private static func nearest(to word: String, among names: [String]) -> String? {
        let longest = names.map(\.count).max() ?? 0
        guard word.count <= 2 * longest else { return nil }
        let near = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
        // One letter in three may be wrong, or any word would be near to a short one.
        guard let near, near.distance <= max(1, word.count / 3), near.distance < word.count else { return nil }
        return near.name
    }

    /// The number of letters to be added, taken away, replaced, or exchanged with their neighbour (the optimal string
    /// alignment).
    private static func distance(_ first: String, _ second: String) -> Int {
        let (first, second) = (Array(first), Array(second))
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
