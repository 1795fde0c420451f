import MultiIdentity

/// Orders owners for eviction: first the owner with the most values, and among equals the one whose last turn is longest ago.
///
/// A heap that knows the place of each owner.
struct OwnerRanking: Sendable {
    private struct Rank {
        let owner: WorkOwner
        var count: Int
        var turn: UInt64

        func isBefore(_ other: Rank) -> Bool { count == other.count ? turn < other.turn : count > other.count }
    }

    private var heap: [Rank] = []
    private var places: [WorkOwner: Int] = [:]

    var first: WorkOwner? { heap.first?.owner }

    /// Ranks an owner by its number of values and its last turn; removes an owner without values.
    mutating func set(_ count: Int, turn: UInt64, of owner: WorkOwner) {
        let rank = Rank(owner: owner, count: count, turn: turn)
        guard let place = places[owner] else {
            if count == 0 { return }
            heap.append(rank)
            return rise(from: heap.count - 1)
        }
        if count > 0 {
            heap[place] = rank
        } else {
            places[owner] = nil
            let last = heap.removeLast()
            if place == heap.count { return }
            heap[place] = last
        }
        sink(from: place)
        rise(from: place)
    }

    private mutating func rise(from place: Int) {
        var place = place
        while place > 0, heap[place].isBefore(heap[(place - 1) / 2]) {
            heap.swapAt(place, (place - 1) / 2)
            places[heap[place].owner] = place
            place = (place - 1) / 2
        }
        places[heap[place].owner] = place
    }

    private mutating func sink(from place: Int) {
        var place = place
        while true {
            let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
            let first = children.min { heap[$0].isBefore(heap[$1]) }
            guard let first, heap[first].isBefore(heap[place]) else { break }
            heap.swapAt(place, first)
            places[heap[place].owner] = place
            place = first
        }
        places[heap[place].owner] = place
    }
}
