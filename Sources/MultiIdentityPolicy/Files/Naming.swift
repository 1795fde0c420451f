/// What names are given to files that had others, for walks that may have passed there; behind the lock under which names
/// are given and taken.
struct Naming: Sendable {
    private var watches: [Int: [RootedPath]] = [:]
    private var lastWatch = 0

    /// Begins to note where things are moved to.
    mutating func beginWatch() -> Int {
        lastWatch += 1
        watches[lastWatch] = []
        return lastWatch
    }

    mutating func endWatch(_ watch: Int) { watches[watch] = nil }

    /// What is at this name by now may have been where a walk comes only later, and the name where it was before.
    mutating func noteMove(to path: RootedPath) {
        for watch in watches.keys { watches[watch]?.append(path) }
    }

    /// Where things were moved to since this was last asked.
    mutating func takeMoves(_ watch: Int) -> [RootedPath] {
        defer { watches[watch] = [] }
        return watches[watch] ?? []
    }
}
