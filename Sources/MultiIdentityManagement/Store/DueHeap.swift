import MultiIdentity

/// When accounts are due, first ones first: a binary heap, in which an entry stays when its account's moment has changed.
struct DueHeap {
    struct Entry: Comparable {
        let due: WallInstant
        let identity: Identity

        static func < (one: Entry, other: Entry) -> Bool {
            one.due == other.due ? one.identity < other.identity : one.due < other.due
        }
    }

    private var entries: [Entry] = []

    var first: Entry? { entries.first }

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        var place = entries.count - 1
        while place > 0, case let above = (place - 1) / 2, entries[place] < entries[above] {
            entries.swapAt(place, above)
            place = above
        }
    }

    mutating func pop() -> Entry? {
        guard let last = entries.popLast() else { return nil }
        guard let first = entries.first else { return last }
        entries[0] = last
        var place = 0
        while case var below = 2 * place + 1, below < entries.count {
            if below + 1 < entries.count, entries[below + 1] < entries[below] { below += 1 }
            if entries[place] < entries[below] { break }
            entries.swapAt(place, below)
            place = below
        }
        return first
    }
}
