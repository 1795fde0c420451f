/// Names that other processes gave to files of identities being wiped here, according to their records.
struct ForeignMoves: Sendable {
    private struct Watch {
        let owner: FileOwner
        var moved: Set<RootedPath> = []
    }

    private var watches: [Int: Watch] = [:]
    private var lastWatch = 0

    /// Begins to note the new names of an owner's files.
    mutating func beginWatch(for owner: FileOwner) -> Int {
        lastWatch += 1
        watches[lastWatch] = Watch(owner: owner)
        return lastWatch
    }

    mutating func endWatch(_ watch: Int) { watches[watch] = nil }

    /// Notes the name in another process's record.
    mutating func note(_ record: OwnerRecord) {
        if watches.isEmpty { return }
        switch record {
        case .put(_, let owner, let path, _):
            for (watch, state) in watches where state.owner == owner { watches[watch]?.moved.insert(path) }
        case .alias(_, let path):
            for watch in watches.keys { watches[watch]?.moved.insert(path) }
        case .forget, .unname, .drop: break
        }
    }

    /// Notes what another process has rewritten in a log.
    mutating func noteAll(in block: OwnerBlock) {
        for (watch, state) in watches {
            for row in block.rows(of: state.owner) { watches[watch]?.moved.formUnion(block.entry(row).names) }
        }
    }

    /// Returns the paths since the last call.
    mutating func takeMoves(_ watch: Int) -> Set<RootedPath> {
        defer { watches[watch]?.moved = [] }
        return watches[watch]?.moved ?? []
    }
}
